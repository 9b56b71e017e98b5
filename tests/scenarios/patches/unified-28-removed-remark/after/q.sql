a
-- src/d.sql
c
