# `nix run '.?dir=packaging/nix' -- demo` in the root of the repository.
{
  description = "Game-record toolkit and database for the tafl family of board games";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" "x86_64-darwin" ];
      forEachSystem = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEachSystem (pkgs: rec {
        default = pkgs.callPackage ./package.nix { };
        small = default.override { withDatabase = false; };
      });
    };
}
