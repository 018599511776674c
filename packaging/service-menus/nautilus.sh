#!/bin/sh
# Opens what is selected in Nautilus with Rankscope. Two folders: side by side.
exec @PROGRAM@ "$@"
