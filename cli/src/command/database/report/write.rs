//! The output of reports.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tafl_reports::Report;
use taflbase::database::ReportFormat;
use taflbase::escape::escape_path;

use crate::Io;
use crate::args::database::report::TargetArgs;
use crate::output::{Names, file_named, names_folder, write_whole};

/// The width of boards in PNG files, in pixels.
const BOARD_WIDTH: u32 = 640;

/// Writes a report to its target.
///
/// # Errors
///
/// Returns an error if a file cannot be written, or its extension is unknown.
pub(crate) fn write(report: &Report, target: &TargetArgs, io: &mut Io<'_>) -> anyhow::Result<()> {
    let Some(path) = file_named(target.output.as_deref()) else {
        if target.format == Some(ReportFormat::Parquet) {
            io.check_binary("parquet")?;
        }
        let bytes = target.format.unwrap_or(ReportFormat::Md).write(report, &|_| String::new())?;
        return Ok(io.write_bytes(&bytes)?);
    };
    if names_folder(path) {
        let main = into_folder(report, target.format.unwrap_or(ReportFormat::Html), path)?;
        io.notice(&format!("wrote {}", escape_path(&main)));
        return Ok(());
    }
    let format = match target.format {
        Some(format) => format,
        None => format_of(path)?,
    };
    // A Markdown file has its pictures in a folder next to it.
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let beside = format!("{stem}-pictures");
    let bytes = format.write(report, &|name| format!("{}/{name}.png", beside.replace(' ', "%20")))?;
    if format == ReportFormat::Md {
        pictures(report, &path.with_file_name(&beside))?;
    }
    save(path, &bytes)?;
    io.notice(&format!("wrote {}", escape_path(path)));
    Ok(())
}

fn format_of(path: &Path) -> anyhow::Result<ReportFormat> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ReportFormat::of_extension(extension)
        .with_context(|| format!("unknown extension of {}; use --format", path.display()))
}

/// Writes a report into a folder, and returns its main file.
fn into_folder(report: &Report, format: ReportFormat, folder: &Path) -> anyhow::Result<PathBuf> {
    let main = |ending: &str| folder.join(format!("{}.{ending}", report.kind));
    match format {
        ReportFormat::Html | ReportFormat::Md => {
            pictures(report, &folder.join("pictures"))?;
            let path = main(if format == ReportFormat::Html { "html" } else { "md" });
            save(&path, &format.write(report, &|name| format!("pictures/{name}.png"))?)?;
            Ok(path)
        }
        ReportFormat::Json => {
            let path = main("json");
            save(&path, &format.write(report, &|_| String::new())?)?;
            Ok(path)
        }
        ReportFormat::Csv | ReportFormat::Parquet => {
            let mut names = Names::default();
            for (section, table) in report.tables() {
                let (ending, bytes) = match format {
                    ReportFormat::Parquet => ("parquet", table.to_parquet()?),
                    ReportFormat::Csv | ReportFormat::Html | ReportFormat::Md | ReportFormat::Json => {
                        ("csv", table.to_csv().into_bytes())
                    }
                };
                let safe =
                    |text: &str| text.replace(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_', "-");
                let name = format!("{}-{}.{ending}", safe(section), safe(&table.key));
                save(&folder.join(names.free(name.into())), &bytes)?;
            }
            Ok(folder.to_owned())
        }
    }
}

/// Writes plots and boards as PNG.
fn pictures(report: &Report, folder: &Path) -> anyhow::Result<()> {
    for (name, plot) in report.plots() {
        save(&folder.join(format!("{name}.png")), &plot.to_png()?)?;
    }
    for (name, board) in report.boards() {
        save(&folder.join(format!("{name}.png")), &board.picture.to_png(BOARD_WIDTH)?)?;
    }
    Ok(())
}

fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}
