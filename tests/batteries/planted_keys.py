"""Keys of all kinds, drawn by lot here so that this repository holds none."""

import random
import string

LETTERS = string.ascii_letters
MIXED = LETTERS + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = string.digits + "abcdef"
URL = MIXED + "_-"


def lot(signs: str, count: int, seed: int = 7) -> str:
    """The same each time; its last sign is a letter or a digit."""
    rows = random.Random(f"{seed} {signs} {count}")
    last = rows.choice([one for one in signs if one.isalnum()])
    return "".join(rows.choice(signs) for _ in range(count - 1)) + last


def pem(kind: str, of: int = 0) -> str:
    body = "\n".join(lot(MIXED + "+/", 64, of + at) for at in range(5))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def keys(seed: int) -> dict[str, tuple[str, str]]:
    """By a name of each: its kind, and the key."""
    return {
        "GitHub, classic": ("GitHub token", "ghp" + "_" + lot(MIXED, 36, seed)),
        "GitHub, of an app": ("GitHub token", "ghs" + "_" + lot(MIXED, 36, seed)),
        "GitHub, fine": (
            "GitHub token",
            "github" + f"_pat_{lot(MIXED, 22, seed)}_{lot(MIXED, 59, seed)}",
        ),
        "GitLab": ("GitLab token", "glpat" + "-" + lot(URL, 20, seed)),
        "GitLab, of a runner": ("GitLab token", "glrt" + "-" + lot(URL, 20, seed)),
        "AWS": ("AWS access key", "AKIA" + lot(UPPER, 16, seed)),
        "AWS, secret": ("AWS secret key", lot(MIXED + "/+", 40, seed)),
        "Slack": ("Slack token", "xoxb" + f"-{lot('123456789', 12, seed)}-{lot(MIXED, 24, seed)}"),
        "Slack, webhook": (
            "Slack webhook",
            f"T{lot(UPPER, 10, seed)}/B{lot(UPPER, 10, seed)}/{lot(MIXED, 24, seed)}",
        ),
        "Stripe": ("Stripe key", "sk" + "_live_" + lot(MIXED, 24, seed)),
        "OpenAI": (
            "OpenAI key",
            "sk" + f"-proj-{lot(URL, 74, seed)}T3Blbk" + f"FJ{lot(URL, 74, seed)}",
        ),
        "Anthropic": ("Anthropic key", "sk" + f"-ant-api03-{lot(URL, 93, seed)}AA"),
        "Google": ("Google API key", "AIza" + lot(URL, 35, seed)),
        "Google, secret": ("Google secret", "GOCS" + "PX-" + lot(URL, 28, seed)),
        "npm": ("npm token", "npm" + "_" + lot(MIXED, 36, seed)),
        "PyPI": ("PyPI token", "pypi" + "-AgE" + lot(URL, 100, seed)),
        "Hugging Face": ("Hugging Face token", "hf" + "_" + lot(LETTERS, 34, seed)),
        "DigitalOcean": ("DigitalOcean token", "dop" + "_v1_" + lot(HEX, 64, seed)),
        "SendGrid": ("SendGrid key", "SG" + f".{lot(URL, 22, seed)}.{lot(URL, 43, seed)}"),
        "Mailgun": ("Mailgun key", "key" + "-" + lot(HEX, 32, seed)),
        "Telegram": ("Telegram token", "912873645" + ":AA" + lot(URL, 33, seed)),
        "Discord": (
            "Discord token",
            f"M{lot(MIXED, 23, seed)}.{lot(URL, 6, seed)}.{lot(URL, 38, seed)}",
        ),
        "Shopify": ("Shopify token", "shpat" + "_" + lot(HEX, 32, seed)),
        "Databricks": ("Databricks token", "dapi" + lot(HEX, 32, seed)),
        "Vault": ("Vault token", "hvs" + "." + lot(URL, 90, seed)),
        "Docker": ("Docker token", "dckr" + "_pat_" + lot(URL, 27, seed)),
        "Azure": ("Azure key", lot(MIXED + "+/", 86, seed) + "=="),
        "Linear": ("Linear key", "lin" + "_api_" + lot(MIXED, 40, seed)),
        "age": ("age key", "AGE-SECRET" + "-KEY-1" + lot(UPPER, 58, seed)),
    }


AROUND = {
    "AWS secret key": 'aws_secret_access_key = "{}"',
    "Slack webhook": "https://hooks.slack" + ".com/services/{}",
    "Azure key": "AccountName=a;Account" + "Key={};",
}


def planted(seed: int) -> dict[str, str]:
    """Lines of text by the keys in them: one of each kind that a run takes out."""
    rows = {key: AROUND.get(kind, "it is {} now").format(key) for kind, key in keys(seed).values()}
    token = f"eyJ{lot(MIXED, 20, seed)}.eyJ{lot(MIXED, 40, seed)}.{lot(MIXED, 43, seed)}"
    basic, netrc, address = (lot(MIXED, count, seed) for count in (44, 24, 28))
    rows[token] = f"it is {token} now"
    rows[basic] = f"Authorization: Bearer {basic}"
    rows[netrc] = " ".join(("machine db.example login app password", netrc))
    rows[address] = f"postgres://app:{address}@db.internal:5432/x"
    begin, *body, end = pem("", seed).split("\n")
    last = body.pop()
    rows |= {line: line for line in body} | {last: f"{last}\n{end}"}
    return {**rows, body[0]: f"{begin}\n{body[0]}"}


def text(seed: int) -> str:
    return "".join(f"{line}\n" for line in planted(seed).values())


def apart(secret: str) -> str:
    """As a shell puts it together: what a model writes whole is redacted before it is run."""
    return f"{secret[:6]}''{secret[6:]}"
