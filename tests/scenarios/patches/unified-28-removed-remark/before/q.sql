a
-- src/b.sql
c
