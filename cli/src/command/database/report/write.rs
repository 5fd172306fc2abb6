//! Where reports go.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tafl_reports::document::Report;

use crate::Io;
use crate::args::database::report::{ReportFormat, TargetArgs};
use crate::output::{Names, file_named, write_whole};
use taflbase::escape::escape_path;

/// How wide boards are in PNG, in pixels.
const BOARD: u32 = 640;

/// Writes a report to where it is to go.
///
/// # Errors
///
/// Fails when a file cannot be written, or its ending names no format.
pub(crate) fn write(report: &Report, target: &TargetArgs, io: &mut Io<'_>) -> anyhow::Result<()> {
    let Some(path) = file_named(target.output.as_deref()) else {
        let bytes = written(report, target.format.unwrap_or(ReportFormat::Md), &|_| String::new())?;
        return Ok(io.write_bytes(&bytes)?);
    };
    if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let main = into_folder(report, target.format.unwrap_or(ReportFormat::Html), path)?;
        io.notice(&format!("the report is {}", escape_path(&main)));
        return Ok(());
    }
    let format = match target.format {
        Some(format) => format,
        None => of_ending(path)?,
    };
    // A page of Markdown has its pictures in a folder beside it.
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let beside = format!("{stem}-pictures");
    let bytes = written(report, format, &|name| format!("{}/{name}.png", beside.replace(' ', "%20")))?;
    if format == ReportFormat::Md {
        pictures(report, &path.with_file_name(&beside))?;
    }
    save(path, &bytes)?;
    io.notice(&format!("the report is {}", escape_path(path)));
    Ok(())
}

fn of_ending(path: &Path) -> anyhow::Result<ReportFormat> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    Ok(match ending.as_str() {
        "html" | "htm" => ReportFormat::Html,
        "md" | "markdown" => ReportFormat::Md,
        "csv" => ReportFormat::Csv,
        "json" => ReportFormat::Json,
        "parquet" => ReportFormat::Parquet,
        _ => bail!("the ending of {} names no format; say --format", path.display()),
    })
}

/// Returns a report in a format; `picture` says where the picture of a name lies.
///
/// # Errors
///
/// Fails when a picture cannot be drawn.
pub(crate) fn written(
    report: &Report,
    format: ReportFormat,
    picture: &dyn Fn(&str) -> String,
) -> anyhow::Result<Vec<u8>> {
    Ok(match format {
        ReportFormat::Html => report.to_html()?.into_bytes(),
        ReportFormat::Md => report.to_markdown(picture).into_bytes(),
        ReportFormat::Csv => report.to_csv().into_bytes(),
        ReportFormat::Json => {
            let text = serde_json::to_string_pretty(&report.to_json()).expect("names are texts");
            (text + "\n").into_bytes()
        }
        ReportFormat::Parquet => report.to_parquet()?,
    })
}

/// Writes a report into a folder, and returns its main file.
fn into_folder(report: &Report, format: ReportFormat, folder: &Path) -> anyhow::Result<PathBuf> {
    let main = |ending: &str| folder.join(format!("{}.{ending}", report.kind));
    match format {
        ReportFormat::Html | ReportFormat::Md => {
            pictures(report, &folder.join("pictures"))?;
            let path = main(if format == ReportFormat::Html { "html" } else { "md" });
            save(&path, &written(report, format, &|name| format!("pictures/{name}.png"))?)?;
            Ok(path)
        }
        ReportFormat::Json => {
            let path = main("json");
            save(&path, &written(report, format, &|_| String::new())?)?;
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
        save(&folder.join(format!("{name}.png")), &board.picture.to_png(BOARD)?)?;
    }
    Ok(())
}

fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}
