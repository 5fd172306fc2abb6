"""What `spark-submit` runs: `taflbase-spark`, from this folder or installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

from taflbase_spark.cli import main  # noqa: E402

sys.exit(main())
