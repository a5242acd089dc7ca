"""A clean root: the smallest Debian (mmdebstrap --variant=minbase) with a compiler, man and a user.

Packages come from where this machine's apt gets them.
"""

import os
import shutil
import subprocess
import tempfile

TOOLS = "gcc,g++,libc6-dev,pkg-config,man-db,bash-completion"
USER = "player"

# Written by apt, dpkg and the tests. The user's directory is checked on its own.
IGNORED = ("var/cache", "var/lib/apt", "var/lib/dpkg", "var/log", "tmp", "packages", "home",
           "var/lib/systemd", "etc/ld.so.cache", "proc", "sys", "dev", "run")


def apt_sources():
    """The lines of a sources.list for Debian that this machine's apt uses."""
    run = subprocess.run(
        ["apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages", "Origin: Debian"], capture_output=True, text=True, check=True)
    return "\n".join(dict.fromkeys(run.stdout.splitlines())) + "\n"


def apt_options():
    """The settings for downloads of this machine's apt, such as proxies."""
    run = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True)
    wanted = ("Acquire::http", "Acquire::https", "Acquire::Check", "Acquire::Retries")
    return [f"--aptopt={line}" for line in run.stdout.splitlines()
            if line.startswith(wanted) and not line.endswith('"";')]


class Root:
    def __init__(self):
        self.parent = tempfile.mkdtemp(prefix="tetropt-root-")
        os.chmod(self.parent, 0o755)  # the user must get through
        self.path = os.path.join(self.parent, "root")
        self.home = os.path.join(self.path, "home", USER)

    def make(self):
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={TOOLS}",
                        *apt_options(), "", self.path, "-"], input=apt_sources(), text=True, check=True)
        shutil.copy("/etc/resolv.conf", os.path.join(self.path, "etc", "resolv.conf"))
        os.mkdir(os.path.join(self.path, "packages"))
        self.run("useradd", "--create-home", USER)
        self.run("apt-get", "update", "-qq")

    def remove(self):
        subprocess.run(["rm", "-rf", "--one-file-system", self.parent], check=False)

    def command(self, *words, user="root"):
        """Command and environment for this machine that run `words` in the root."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                       "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "TERM": "xterm",
                       "HOME": "/root" if user == "root" else f"/home/{user}"}
        return ["chroot", f"--userspec={user}:{user}", self.path, *words], environment

    def run(self, *words, user="root", output=False, **more):
        """Runs a command, which must succeed; returns what it printed if `output` is set."""
        command, environment = self.command(*words, user=user)
        done = subprocess.run(command, check=True, env=environment | more, text=True,
                              stdout=subprocess.PIPE if output else None)
        return done.stdout

    def script(self, text, user="root", **more):
        self.run("bash", "-o", "pipefail", "-c", text, user=user, **more)

    def install(self, paths):
        """Installs package files through apt, with their dependencies."""
        for path in paths:
            shutil.copy(path, os.path.join(self.path, "packages"))
        self.run("apt-get", "install", "-y", "-qq", "--no-install-recommends",
                 *(f"/packages/{os.path.basename(path)}" for path in paths))

    def purge(self, paths):
        self.run("apt-get", "purge", "-y", "-qq", *(package_name(path) for path in paths))

    def listing(self):
        """All files and directories except IGNORED."""
        found = set()
        for directory, directories, files in os.walk(self.path):
            here = os.path.relpath(directory, self.path)
            directories[:] = [name for name in directories
                              if os.path.normpath(os.path.join(here, name)) not in IGNORED]
            found |= {os.path.normpath(os.path.join(here, name)) for name in files + directories}
        return found - set(IGNORED)

    def leftovers(self):
        """Our files in the root. After a purge there must be none."""
        return sorted(name for name in self.listing() if "tetropt" in name)


def package_name(path):
    return os.path.basename(path).split("_")[0]
