//! The web server of Taflbase: an HTTP interface over one corpus, and the pages that use it.
