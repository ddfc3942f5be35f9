"""Types a line and a tab into zsh and prints what stands on it then:
complete_zsh.py FOLDER LINE   FOLDER holds _dodona; exits with 77 where there is no zsh"""
import os
import pty
import select
import shutil
import sys

if not shutil.which("zsh"):
    sys.exit(77)
folder, line = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", ZDOTDIR=folder, COLUMNS="200")
    os.execlp("zsh", "zsh", "-f", "-i")


def read_until(mark):
    text = b""
    while mark not in text:
        ready, _, _ = select.select([terminal], [], [], 60)
        if not ready:
            sys.exit(f"zsh is silent after {text!r}")
        text += os.read(terminal, 4096)
    return text


def send(text):
    os.write(terminal, text.encode())


# The widget prints the buffer when the line is accepted with ^X; PS1 and echo are noise.
send(f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -d {folder}/dump\n"
     "tell() { print; print -r -- \"<<${BUFFER}>>\"; BUFFER=exit; zle accept-line }\n"
     "zle -N tell; bindkey '^X' tell; unsetopt auto_menu list_beep; setopt no_auto_list\n"
     "print rea''dy\n")
read_until(b"ready")
send(line + "\t\x18")
text = read_until(b">>")
print(text.split(b"<<")[-1].split(b">>")[0].decode())
os.waitpid(pid, 0)
