"""A page as one file, which asks for nothing, and runs no script but its own."""

from base64 import b64encode
from hashlib import sha256

from react_agent.page.markup import Markup, join, tag, void
from react_agent.tools import shipped

_HERE = "react_agent.page"
_BASE = "base.css"
_SHARED = "found.js"


def document(title: str, *body: str, package: str = _HERE, name: str) -> str:
    """With the style sheet and the script of that name, behind those of all pages."""
    style = join(_shipped(_HERE, _BASE), _shipped(package, f"{name}.css"))
    script = join(_shipped(_HERE, _SHARED), _shipped(package, f"{name}.js"))
    head = (
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("meta", name="referrer", content="no-referrer"),
        void("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", style),
    )
    whole = tag("html", tag("head", *head), tag("body", *body, tag("script", script)), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _policy(style: str, script: str) -> str:
    """Of what the page could ever do, this much: not even what may be put in from outside."""
    return "; ".join(
        (
            "default-src 'none'",
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
    return Markup(shipped.text(package, name))
