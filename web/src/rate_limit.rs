//! Limits of the number of requests of an address: a token bucket for each.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;

/// The number of addresses above which full buckets are removed, which are those of addresses without recent requests.
const MAX_BUCKETS: usize = 20_000;

/// The header in which proxies list the addresses of the clients before them, the last one last.
const FORWARDED: &str = "x-forwarded-for";

/// The rate at which each address may send requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RequestRate {
    /// The number of requests per second.
    pub(crate) per_second: f64,
    /// The number of requests at once after a pause.
    pub(crate) burst: f64,
    /// Whether a proxy names the address.
    pub(crate) trusts_proxy: bool,
}

/// The requests that each address may still send.
pub(crate) struct RateLimiter {
    rate: RequestRate,
    buckets: Mutex<HashMap<IpAddr, TokenBucket>>,
}

/// The requests that an address may send at a time.
#[derive(Debug, Clone, Copy)]
struct TokenBucket {
    tokens: f64,
    filled_at: Instant,
}

impl TokenBucket {
    /// Returns the bucket at a later time.
    fn refilled(self, now: Instant, rate: RequestRate) -> TokenBucket {
        let gained = now.saturating_duration_since(self.filled_at).as_secs_f64() * rate.per_second;
        TokenBucket { tokens: (self.tokens + gained).min(rate.burst), filled_at: now }
    }
}

impl RateLimiter {
    /// Creates a limiter.
    pub(crate) fn new(rate: RequestRate) -> RateLimiter {
        RateLimiter { rate, buckets: Mutex::default() }
    }

    /// Counts a request of a connection, or returns the time to wait before the next one.
    ///
    /// # Errors
    ///
    /// Returns that time if the address has sent too many requests.
    pub(crate) fn take(&self, peer: IpAddr, headers: &HeaderMap, now: Instant) -> Result<(), Duration> {
        let address = if self.rate.trusts_proxy { forwarded(headers).unwrap_or(peer) } else { peer };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, bucket| bucket.refilled(now, self.rate).tokens < self.rate.burst);
        }
        if buckets.len() >= MAX_BUCKETS {
            // This number of addresses at once is an attack; forgetting them all costs less than searching the map each time.
            buckets.clear();
        }
        let new = TokenBucket { tokens: self.rate.burst, filled_at: now };
        let bucket = buckets.entry(network(address)).or_insert(new);
        *bucket = bucket.refilled(now, self.rate);
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - bucket.tokens) / self.rate.per_second))
    }
}

/// Returns the address that the last proxy names; a client can write all before it.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let lists = headers.get_all(FORWARDED).iter().filter_map(|list| list.to_str().ok());
    let last = lists.flat_map(|list| list.split(',')).next_back()?.trim();
    last.parse().ok()
}

/// Returns the network of an address: a subscriber has a whole network of IPv6 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(trusts_proxy: bool) -> RateLimiter {
        RateLimiter::new(RequestRate { per_second: 2.0, burst: 3.0, trusts_proxy })
    }

    #[test]
    fn an_address_has_a_burst_and_then_its_rate() {
        let (limiter, start, headers) = (limiter(false), Instant::now(), HeaderMap::new());
        let take = |address: &str, ms: u64| {
            limiter.take(address.parse().unwrap(), &headers, start + Duration::from_millis(ms))
        };
        for _ in 0..3 {
            assert_eq!(take("192.0.2.1", 0), Ok(()));
        }
        assert_eq!(take("192.0.2.1", 0), Err(Duration::from_millis(500)));
        assert_eq!(take("192.0.2.1", 250), Err(Duration::from_millis(250)));
        assert_eq!(take("192.0.2.1", 500), Ok(()));
        assert!(take("192.0.2.1", 501).is_err());
        assert_eq!(take("192.0.2.2", 501), Ok(()), "another address");
        for ms in [10_000; 3] {
            assert_eq!(take("192.0.2.1", ms), Ok(()));
        }
        assert!(take("192.0.2.1", 10_000).is_err(), "a pause gives no more than the burst");
    }

    #[test]
    fn addresses_of_one_network_are_one() {
        let (limiter, now, headers) = (limiter(false), Instant::now(), HeaderMap::new());
        for last in ["1", "2", "3"] {
            let address = format!("2001:db8::{last}").parse().unwrap();
            assert_eq!(limiter.take(address, &headers, now), Ok(()));
        }
        assert!(limiter.take("2001:db8::4".parse().unwrap(), &headers, now).is_err());
        assert_eq!(limiter.take("2001:db8:1::4".parse().unwrap(), &headers, now), Ok(()));
        assert_eq!(limiter.take("192.0.2.1".parse().unwrap(), &headers, now), Ok(()));
    }

    #[test]
    fn only_the_last_proxy_is_believed() {
        let now = Instant::now();
        let ask = |limiter: &RateLimiter, header: &str| {
            let headers = HeaderMap::from_iter([(FORWARDED.parse().unwrap(), header.parse().unwrap())]);
            limiter.take("127.0.0.1".parse().unwrap(), &headers, now).is_ok()
        };
        let trusting = limiter(true);
        let asked: Vec<bool> =
            ["192.0.2.1", "192.0.2.9, 192.0.2.1", "192.0.2.8,192.0.2.1", "x,192.0.2.1", "192.0.2.2"]
                .map(|header| ask(&trusting, header))
                .into();
        assert_eq!(asked, [true, true, true, false, true]);
        let plain = limiter(false);
        let asked: Vec<bool> = (0..4).map(|nth| ask(&plain, &format!("192.0.2.{nth}"))).collect();
        assert_eq!(asked, [true, true, true, false], "the header counts only if a proxy is trusted");
    }

    #[test]
    fn the_map_is_bounded() {
        let (limiter, now, headers) = (limiter(false), Instant::now(), HeaderMap::new());
        for nth in 0..MAX_BUCKETS as u32 + 10 {
            let _ = limiter.take(IpAddr::from((0x0a00_0000 + nth).to_be_bytes()), &headers, now);
        }
        assert!(limiter.buckets.lock().unwrap().len() <= MAX_BUCKETS);
    }
}
