"""Facts of other kinds, with questions that were written before any answer was looked at.

What is found of them is told as it is; where it gets better, no wording may be the reason.
"""

from planted import Fact

_ENUM = Fact(
    *("enum", "src/orders/status.py", '    AWAITING_PICKUP = "awaiting-pickup"'),
    "AWAITING_PICKUP",
    "which status an order has before it is fetched",
    ("order status awaiting pickup", "string that stands for pickup", "status enum value pickup"),
    "    if order.status is Status.AWAITING_PICKUP:",
)
_ROUTE = Fact(
    *("route", "src/api/routes.py", '    path("v2/customers/<int:pk>/merge/", merge_customers),'),
    "merge_customers",
    "the address at which customers are merged",
    ("url to merge customers", "customers merge endpoint", "which view handles merging customers"),
    "def merge_customers(request, pk):",
)
_COLUMN = Fact(
    *("column", "db/schema.sql", "    shipped_on      DATE NOT NULL DEFAULT CURRENT_DATE,"),
    "shipped_on",
    "the column for the day of shipping",
    ("shipped date column", "type of shipped_on", "schema.sql day it was shipped"),
    "        rows.sort(key=lambda row: row.shipped_on)",
)
_VARIABLE = Fact(
    *("variable", "src/boot/environ.py"),
    'BROKER = os.environ.get("LEDGER_BROKER_URL", "amqp://localhost")',
    "LEDGER_BROKER_URL",
    "where the address of the broker comes from",
    ("environment variable broker", "ledger broker address", "default url of the message broker"),
)
_OPTION = Fact(
    *("option", "src/cli/args.py"),
    '    parser.add_argument("--dry-run-depth", type=int, default=3)',
    "--dry-run-depth",
    "the option for how deep a dry run goes",
    ("dry run option", "how deep does a dry run go by default", "flag for the dry-run depth"),
)
_GERMAN = Fact(
    *("german", "src/lager/bestand.py"),
    "    # Negative Bestände werden beim Monatsabschluss ausgeglichen",
    "Bestände",
    "was beim Monatsabschluss mit dem Bestand geschieht",
    ("Bestände Monatsabschluss", "negativer Bestand", "was geschieht beim Monatsabschluss"),
)
_CHINESE = Fact(
    *("chinese", "src/pay/refund.py", "    # 退款金额不能超过订单总额"),
    "refund_amount",
    "退款金额",
    ("退款金额", "退款 订单", "订单总额 限制"),
)
_PIN = Fact(
    *("pin", "pyproject.toml", '    "sqlparse>=0.4.4,<0.6",'),
    "`sqlparse`",
    "which versions of sqlparse it takes",
    ("sqlparse version", "allowed versions of sqlparse", "pyproject sqlparse pin"),
)
_ASSERTION = Fact(
    *("assertion", "tests/test_invoice.py", "E       AssertionError: assert 'EUR' == 'CHF'"),
    "test_invoice_currency",
    "the currency that it expected",
    ("assertion EUR CHF", "test_invoice_currency failure", "which currency was it instead of CHF"),
)
HELD_OUT = tuple(
    (fact,)
    for fact in (
        *(_ENUM, _ROUTE, _COLUMN, _VARIABLE, _OPTION),
        *(_GERMAN, _CHINESE, _PIN, _ASSERTION),
    )
)

HELD_OUT_DECOYS = (
    'AWAITING_PAYMENT = "awaiting-payment"',
    'path("v2/orders/<int:pk>/split/", split_order),',
    "created_on DATE NOT NULL,",
    'CACHE = os.environ.get("LEDGER_CACHE_URL", "")',
    'parser.add_argument("--depth", type=int, default=1)',
    "# Bestand wird täglich gezählt",
    "# 订单状态",
    '"sqlalchemy>=2.0,<3",',
    "E       AssertionError: assert 'USD' == 'EUR'",
    "def merge_settings(first, second):",
    "currency = 'CHF'",
    "run_depth = 0",
)
