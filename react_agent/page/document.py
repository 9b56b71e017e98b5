"""A page as one file, which asks for nothing, and runs no script but its own."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from react_agent.page.markup import Markup, join, tag, void
from react_agent.tools import package_data

_HERE = "react_agent.page"


@dataclass(frozen=True, slots=True)
class Looks:
    """A style sheet and scripts, which stand behind those of all pages."""

    style: str
    scripts: Sequence[str]
    package: str = _HERE
    is_live: bool = False  # asks who serves it, and nobody else, for what is new


def document(title: str, looks: Looks, *body: str) -> str:
    runs = [] if looks.package == _HERE else ["run.css"]  # pages of others show runs, too
    ours = (_shipped(_HERE, name) for name in ("base.css", *runs))
    style = join(*ours, _shipped(looks.package, looks.style))
    scripts = (_shipped(looks.package, name) for name in looks.scripts)
    script = join(_shipped(_HERE, "found.js"), *scripts)
    head = (
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=_policy(style, script, looks)),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("meta", name="referrer", content="no-referrer"),
        void("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", style),
    )
    whole = tag("html", tag("head", *head), tag("body", *body, tag("script", script)), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _policy(style: str, script: str, looks: Looks) -> str:
    """Of what the page could ever do, this much: not even what may be put in from outside."""
    return "; ".join(
        (
            "default-src 'none'",
            *(["connect-src 'self'"] if looks.is_live else []),
            f"style-src {_hash(style)}",
            f"script-src {_hash(script)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(source: str) -> str:
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def _shipped(package: str, name: str) -> Markup:
    return Markup(package_data.text(package, name))
