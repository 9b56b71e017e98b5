#!/bin/sh
exec shop
