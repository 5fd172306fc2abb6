# `tafl` from the sources of this repository.
{
  lib,
  rustPlatform,
  installShellFiles,
  # Without the database and the server, the build takes a fraction of the time.
  withDatabase ? true,
}:
rustPlatform.buildRustPackage {
  pname = "tafl";
  version = (lib.importTOML ../../Cargo.toml).workspace.package.version;
  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  buildAndTestSubdir = "cli";
  buildNoDefaultFeatures = !withDatabase;
  # `.ci/run` runs the tests, which need the whole repository.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = ''
    installShellCompletion --cmd tafl \
      --bash <($out/bin/tafl completions bash) \
      --zsh <($out/bin/tafl completions zsh) \
      --fish <($out/bin/tafl completions fish)
    $out/bin/tafl man -o man
    installManPage man/*.1
    install -Dm644 docs/licenses.md -t $out/share/doc/tafl
  '';

  meta = {
    description = "Game-record toolkit and database for the tafl family of board games";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "tafl";
    platforms = lib.platforms.unix;
  };
}
