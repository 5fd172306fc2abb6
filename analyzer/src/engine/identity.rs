//! The identity of an engine.

use std::fmt;

use super::Params;
use crate::eval::Weights;
use crate::net::Network;

/// Everything that affects an engine's results, other than limits, rules, threads, table size, and
/// tablebases. Part of every output with results of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The program's name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The hash of the search parameters, see [`Params::hash`].
    pub params: u64,
    /// The kind of evaluation.
    pub evaluation: EvaluationId,
}

/// The evaluation of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvaluationId {
    /// Weighted terms, with the hash of the weights.
    Terms(u64),
    /// A network, with its hash.
    Net(u64),
}

impl Identity {
    pub(super) fn of(params: &Params, weights: &Weights, net: Option<&Network>) -> Identity {
        Identity {
            name: "taflbase",
            version: env!("CARGO_PKG_VERSION"),
            params: params.hash(),
            evaluation: match net {
                Some(net) => EvaluationId::Net(net.hash()),
                None => EvaluationId::Terms(weights.hash()),
            },
        }
    }
}

/// Writes the identity, such as `taflbase 0.2.0 params 0123456789abcdef terms 0123456789abcdef`.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} params {:016x} ", self.name, self.version, self.params)?;
        match self.evaluation {
            EvaluationId::Terms(hash) => write!(f, "terms {hash:016x}"),
            EvaluationId::Net(hash) => write!(f, "net {hash:016x}"),
        }
    }
}
