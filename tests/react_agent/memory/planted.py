"""Facts as a run comes upon them, and the words in which a model asks for each of them later."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    kind: str
    file: str  # where it stands, or what it is about
    text: str  # the line
    symbol: str  # what a Thought calls it by
    topic: str  # what a Thought says it is about, beside the file
    asked: tuple[str, ...]  # no copies of the text
    mention: str = ""  # a later line that has the name, and not the fact


NUMBERS = (
    Fact(
        *("number", "src/net/client.py", "DEFAULT_RETRY_LIMIT = 37", "DEFAULT_RETRY_LIMIT"),
        "how often a request is tried again: the retry limit",
        ("retry limit", "default number of retries client.py", "how many retries by default"),
        "        if attempts > DEFAULT_RETRY_LIMIT:",
    ),
    Fact(
        *("number", "src/net/pool.py", "POOL_IDLE_TIMEOUT = 240  # seconds", "POOL_IDLE_TIMEOUT"),
        "when idle connections of the pool are closed",
        ("idle timeout of the pool", "pool.py idle timeouts", "seconds until idle pool timeout"),
        "        self.reap_after(POOL_IDLE_TIMEOUT)",
    ),
    Fact(
        *("number", "src/web/upload.py", '    "max_upload_mb": 48,', "max_upload_mb"),
        "the size that an upload may have",
        ("maximum upload size", "max upload megabytes", "upload.py max size mb"),
        "    check_size(body, limits['max_upload_mb'])",
    ),
    Fact(
        *("number", "src/cache/store.py", "    cache_ttl_days: int = 19", "cache_ttl_days"),
        "how many days the cache keeps an entry",
        ("cache ttl", "days until cached entries expire ttl", "ttl in days store.py"),
        "    return now - entry.at > settings.cache_ttl_days * DAY",
    ),
    Fact(
        *("number", "deploy/app.toml", "worker_processes = 11", "worker_processes"),
        "the number of worker processes",
        ("number of worker processes", "app.toml workers", "how many worker process"),
    ),
)
PATHS = (
    Fact(
        *("path", "config/deploy/staging_settings.yaml", "config/deploy/staging_settings.yaml"),
        "staging_settings.yaml",
        "the settings of staging",
        ("staging settings file", "where is the yaml for staging", "deploy config staging"),
    ),
    Fact(
        *("path", "tools/codegen/emit_bindings.py", "tools/codegen/emit_bindings.py"),
        "emit_bindings.py",
        "how bindings are generated",
        ("script that emits bindings", "emit_bindings", "codegen bindings path"),
    ),
    Fact(
        *("path", "tests/golden/invoice_total.json", "tests/golden/invoice_total.json"),
        "invoice_total.json",
        "the golden file of invoices",
        ("golden file invoice", "invoice total json", "where are golden invoices"),
    ),
    Fact(
        *("path", "docs/adr/0014-event-sourcing.md", "docs/adr/0014-event-sourcing.md"),
        "0014-event-sourcing.md",
        "the decision about event sourcing",
        ("event sourcing adr", "decision record on event sourcing", "adr 0014"),
    ),
    Fact(
        *("path", "src/i18n/plural_rules_cy.po", "src/i18n/plural_rules_cy.po"),
        "plural_rules_cy.po",
        "the rules of plurals",
        ("plural rules", "welsh plural_rules file", "i18n plurals path"),
    ),
)
CODE = (
    Fact(
        *("code", "src/http/headers.py", "def normalise_header(name, *, strict=False):"),
        "normalise_header",
        "how a header is normalised",
        ("function that normalises headers", "normalise header signature", "headers.py normalise"),
        "    key = normalise_header(raw)",
    ),
    Fact(
        *("code", "src/geo/grid.py", "    cells = [snap(p, step=0.25) for p in outline if p.z]"),
        "snap()",
        "where points are snapped to cells",
        ("cells snap step", "grid.py list of snapped cells", "snap outline points"),
    ),
    Fact(
        *("code", "src/auth/tokens.py", "class SessionTokenCodec(BaseCodec, frozen=True):"),
        "SessionTokenCodec",
        "the codec of session tokens",
        ("session token codec class", "tokens.py codec", "class that encodes session tokens"),
        "    codec = SessionTokenCodec()",
    ),
    Fact(
        *("code", "src/billing/rounding.py", "    return amount.quantize(CENT, ROUND_HALF_EVEN)"),
        "ROUND_HALF_EVEN",
        "how amounts are rounded",
        ("round half even", "rounding.py quantize amount", "how is the amount rounded to a cent"),
    ),
    Fact(
        *("code", "src/sched/queue.py", "def requeue_stale_jobs(now, older_than=TWO_HOURS):"),
        "requeue_stale_jobs",
        "what happens to stale jobs",
        ("requeue stale jobs", "stale job handling queue.py", "function for requeueing jobs"),
        "        requeue_stale_jobs(clock())",
    ),
)
ERRORS = (
    Fact(
        *("error", "src/units.py", "E   ValueError: unknown unit 'min'", "parse_unit"),
        "the error about an unknown unit",
        ("unknown unit error", "ValueError unit min", "which unit was unknown"),
    ),
    Fact(
        *("error", "src/schema/load.py", "E   KeyError: 'tariff_code'", "load_schema"),
        "the key that is missing",
        ("KeyError tariff", "missing key tariff code", "tariff_code error"),
    ),
    Fact(
        *("error", "src/db/migrate.py", "E   sqlite3.OperationalError: no such column: owner_id"),
        "apply_migration",
        "the error about a column",
        ("no such column", "OperationalError column", "owner_id column missing migrate"),
    ),
    Fact(
        *("error", "src/render/svg.py", "E   AssertionError: expected 12 glyphs, got 11"),
        "draw_glyphs",
        "the glyphs that it expected",
        ("glyph count assertion", "how many glyphs were expected", "AssertionError glyphs"),
    ),
    Fact(
        *("error", "src/io/encoding.py", "E   UnicodeDecodeError: invalid continuation byte 0xe9"),
        "sniff_encoding",
        "the byte that can't be decoded",
        ("decode error continuation byte", "UnicodeDecodeError byte", "invalid byte encoding.py"),
    ),
)
FACTS = (NUMBERS, PATHS, CODE, ERRORS)

# Lines that are like the facts and are none of them: each run comes upon a few, later.
DECOYS = (
    "RETRY_LOG_EVERY = 5",
    "def default_limits(client):",
    "CONNECT_TIMEOUT = 30  # seconds",
    "pool = ThreadPool(idle=True)",
    "MAX_HEADER_KB = 64",
    "upload_dir = '/var/uploads'",
    "def cache_key(entry, *, days=None):",
    "WORKERS_PER_HOST = 2",
    "process_name = 'worker'",
    "# the header names are normalised by the server",
    "def snap_to_grid(point):",
    "class TokenCodec(BaseCodec):",
    "session_token = request.cookies['session']",
    "return round(amount, 2)",
    "def drop_stale_jobs(now):",
    "E   ValueError: unknown option '--unit'",
    "E   KeyError: 'currency_code'",
    "E   AssertionError: expected 3 columns, got 2",
    "E   UnicodeEncodeError: 'ascii' codec can't encode character",
    "src/staging/settings.py",
    "docs/events.md",
    "tests/golden/receipt_total.json",
)
