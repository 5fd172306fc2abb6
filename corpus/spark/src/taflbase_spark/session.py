"""The Spark session, with the settings that this package needs."""

from __future__ import annotations

import atexit
import io
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    # `from` and `to` are columns: quoted as in `tafl sql`, with double quotation marks.
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    # Column `date` is text such as 2019-03, partitions are names: types must not be inferred.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.ui.showConsoleProgress": "false",
}
"""Settings that affect the answers or bound the memory; `spark-submit --conf` may change the others."""


def session(master: str | None = None, settings: dict[str, str] | None = None) -> SparkSession:
    """Return the session with the settings of this package.

    Without a master, that of `spark-submit` is used, or all cores of this machine. On one machine, Spark listens only
    on the loopback interface. The package is sent to the workers.
    """
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    known = SparkConf()
    master = master or known.get("spark.master", None) or "local[*]"
    builder = SparkSession.builder.master(master).appName("taflbase")
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
        if not known.contains("spark.ui.enabled"):
            builder = builder.config("spark.ui.enabled", "false")
    for key, value in {**SETTINGS, **(settings or {})}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    ship_package(spark)
    return spark


def ship_package(spark: SparkSession) -> None:
    """Send this package to all workers, which then need only `pyspark` and `pyarrow`."""
    written = io.BytesIO()
    folder = Path(__file__).parent
    with zipfile.ZipFile(written, "w") as archive:
        for path in sorted(folder.glob("*.py")):
            # A fixed date, so that the same package yields the same file.
            archive.writestr(zipfile.ZipInfo(f"{folder.name}/{path.name}"), path.read_bytes())
    aside = Path(tempfile.mkdtemp(prefix="taflbase-spark-")) / "taflbase_spark.zip"
    # Workers that start later request it from the driver.
    atexit.register(shutil.rmtree, aside.parent, ignore_errors=True)
    aside.write_bytes(written.getvalue())
    spark.sparkContext.addPyFile(str(aside))
