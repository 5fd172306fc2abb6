# A formula for the programs of a release. `.ci/release` fills the placeholders (packaging/README.md).
class Tafl < Formula
  desc "Game-record toolkit and database for the tafl family of board games"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    depends_on arch: :arm64
    url "@REPOSITORY@/releases/download/v@VERSION@/tafl-@VERSION@-aarch64-apple-darwin.tar.gz"
    sha256 "@SHA256:tafl-@VERSION@-aarch64-apple-darwin.tar.gz@"
  end

  on_linux do
    depends_on arch: :x86_64
    url "@REPOSITORY@/releases/download/v@VERSION@/tafl-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
    sha256 "@SHA256:tafl-@VERSION@-x86_64-unknown-linux-gnu.tar.gz@"
  end

  def install
    bin.install "tafl"
    bash_completion.install "completions/tafl.bash" => "tafl"
    zsh_completion.install "completions/_tafl"
    fish_completion.install "completions/tafl.fish"
    man1.install Dir["man/*.1"]
    doc.install "README.md", "licenses.md", "THIRD-PARTY-LICENSES.txt"
  end

  test do
    (testpath/"game.txt").write "d6-a6 d5-a5xa6\n"
    system bin/"tafl", "validate", "--variant", "brandubh7", "game.txt"
  end
end
