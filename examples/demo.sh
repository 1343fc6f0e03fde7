#!/bin/sh
# Questions to the starter corpus, with their true answers. Run by `make demo`.
set -eu
BIN=${BIN:-$(dirname "$(command -v inforce)")}

ask() {
    printf '\n$ inforce'
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9./=-]*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$BIN/inforce" "$@"
}

echo "Which law was in force when this happened, what exactly did it say, and what follows?"
ask at 刑法 74 --on 2010-06-01
ask verify "$(dirname "$0")/brief.docx" || [ $? -eq 1 ] # 1: something is wrong, as it should be
ask diff 刑法 74 --from 2010-06-01 --to 2011-05-01
ask ask '一对夫妻2001年立自书遗嘱，2002年立公证遗嘱，2004年又立录音遗嘱，二人均于2004年去世，应按哪份遗嘱继承？'

serve="inforce serve"
"$BIN/python" -c 'import starlette, uvicorn' 2>/dev/null || serve="pip install 'inforce[serve]', $serve"
printf '\nThe same in a browser: %s, then http://127.0.0.1:8642\n' "$serve"
