"""`python -m taflbase_spark` is `taflbase-spark`."""

import sys

from taflbase_spark.cli import main

sys.exit(main())
