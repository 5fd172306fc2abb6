//! The rules strings of the variants that the oracle data names.

use tafl_rules::RuleSet;

/// Names and rules strings.
pub const VARIANTS: [(&str, &str); 20] = [
    (
        "fetlar11",
        "dim:11 name:Fetlar start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    (
        "sympkyn11",
        "dim:11 name:Sympkyn start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    (
        "sca11",
        "dim:11 name:SCA_Hneftafl surf:n ks:m corh: cenh: cenhe:K start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    (
        "copenhagen11",
        "dim:11 name:Copenhagen sw:s efe:y xrep:pos3def start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    ("brandubh7", "dim:7 name:Brandubh ks:c xrep:pos3def start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"),
    (
        "magpie7",
        "dim:7 name:Magpie ks:m spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,1,-1,-1 xrep:pos3def start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
    ),
    (
        "tablut9_linnaeus",
        "dim:9 name:Tablut esc:e surf:n ks:c cor: cens: cenh: cenhe:tcnkTCNK linc:y xnom:draw start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    ),
    (
        "tablut9_wtf",
        "dim:9 name:Saami_Tablut esc:e ks:c cor: xrep:pos3def start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    ),
    (
        "ashton9",
        "dim:9 name:Ashton_Tablut esc:e atkf:n surf:n ks:c cor: cens: cenp: cenh:tT cenre: afor:a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8 aforh:tTK aforp: aforre: xcamp:same xcampx:a5,e1,i5,e9 xrep:pos2draw start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    ),
    (
        "ardri7",
        "dim:7 name:Ard_Ri esc:e ks:w cor: cen: xrep:pos3def start:/2ttt2/3t3/t1TTT1t/ttTKTtt/t1TTT1t/3t3/2ttt2/",
    ),
    (
        "ardri7_step",
        "dim:7 name:Ard_Ri_(step) esc:e ks:s spd:1 cor: cenh: cenhe: xrep:pos3def start:/2ttt2/3t3/t1TTT1t/ttTKTtt/t1TTT1t/3t3/2ttt2/",
    ),
    (
        "tawlbwrdd11",
        "dim:11 name:Tawlbwrdd esc:e ks:c cor: xrep:pos3def start:/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
    ),
    (
        "tawlbwrdd11_bell",
        "dim:11 name:Tawlbwrdd_(Bell) esc:e ks:w cor: cen: start:/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
    ),
    (
        "seabattle9",
        "dim:9 name:Sea_Battle esc:e ka:n cor: cen: xrep:pos3def start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    ),
    (
        "seabattle11",
        "dim:11 name:Sea_Battle esc:e ka:n cor: cen: xrep:pos3def start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    (
        "berserk11",
        "dim:11 name:Berserk surf:n kj:r nj:c cj:j ber:c xrep:pos3lose start:/3ttttt3/5c5/11/t4T4t/t3NTT3t/tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/",
    ),
    (
        "alea19",
        "dim:19 name:Alea_Evangelii cor:a1,a2,b1,b2,a18,b18,a19,b19,r1,r2,s1,s2,r18,r19,s18,s19 cens: cenp:tcnkTCNK cenh: cenhe:tcnkTCNK xrep:pos3lose start:/2t2t7t2t2/19/t4t7t4t/7t1t1t7/6t1T1T1t6/t1t2t7t2t1t/4t4T4t4/3t4T1T4t3/4T2T1T1T2T4/3t2T1TKT1T2t3/4T2T1T1T2T4/3t4T1T4t3/4t4T4t4/t1t2t7t2t1t/6t1T1T1t6/7t1t1t7/t4t7t4t/19/2t2t7t2t2/",
    ),
    (
        "cyngesheall7",
        "dim:7 name:Cyngesheall surf:n ks:w cj:n cor: cen: xroyal:kK xmove:cC=q xgoal:a=g7;d=a1 start:/kttt3/tct4/tt5/t5T/5TT/4TCT/3TTTK/",
    ),
    (
        "hexentafl4",
        "dim:4 xtopo:hex name:heXentafl atkf:n corh: corp:tTK cors:tTK cenh: cenhe: xmove:K=h1 xgoal:d=corners xking:alt3/custodian/custodian/custodian xhcc:rim xenc:none start:/t2t/5/3T2/t1TK2t/3T2/5/t2t/",
    ),
    (
        "hexentafl5",
        "dim:5 xtopo:hex name:heXentafl atkf:n corh: corp:tTK cors:tTK cenh: cenhe: xgoal:d=corners xking:alt3/custodian/custodian/custodian xhcc:rim xenc:none start:/t3t/1t2t1/7/3TT3/tt1TKT1tt/3TT3/7/1t2t1/t3t/",
    ),
];

/// Returns the rules string of a variant.
///
/// # Panics
///
/// Panics if there is no such variant.
pub fn text(name: &str) -> &'static str {
    let found = VARIANTS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no variant {name}")).1
}

/// Returns the rules of a variant.
///
/// # Panics
///
/// Panics if there is no such variant.
pub fn rules(name: &str) -> RuleSet {
    text(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}
