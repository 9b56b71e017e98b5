-- Customers and what they ordered.

CREATE TABLE customer (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT UNIQUE
);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer (id),
    placed_at TEXT NOT NULL
);

-- The lines of an order.
-- Prices are copied, since they change.
CREATE TABLE order_line (
    order_id INTEGER NOT NULL REFERENCES orders (id),
    item TEXT NOT NULL,
    price NUMERIC NOT NULL,
    amount INTEGER NOT NULL DEFAULT 1
);

CREATE INDEX order_line_order ON order_line (order_id);

-- Old views, to be dropped.
DROP VIEW IF EXISTS open_orders;
