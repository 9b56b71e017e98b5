#!/bin/sh
exec python -m shop
