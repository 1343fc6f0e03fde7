"""What the R1 agent says to its model between rounds, in Chinese and in English."""

from __future__ import annotations

from inforce.tools.tool import Language

WORDING: dict[Language, dict[str, str]] = {
    "zh": {
        "go_on": "计划已收到。请按计划继续：以 <think> 开头，然后调用工具或给出答案。",
        "only_plans": "已经连续几轮只有计划。请在这一轮调用工具，或给出答案。",
        "response": "工具 {name} · 状态 {status}\n{text}",
        "cut": "……（结果过长，以下省略 {count} 字；请缩小查询范围）",
        "repeated": "这次调用与第 {turn} 轮的相同，没有再次执行，结果见上。请换查询或工具。",
        "too_many": "一轮最多调用 {most} 次工具，其余 {count} 次没有执行。",
        "last": "下一轮是最后一轮，请直接以 <think> 和 <answer> 作答；材料不足就说明无法回答。",
        "no_plan": "第一轮必须有检索计划：<think>分析</think><plan>计划</plan>。",
        "no_action": (
            "没有读到 <plan>、<tool_call> 或 <answer>。请以 <think> 开头，然后恰好做其中一件事。"
        ),
        "unreadable": (
            "<tool_call> 里的内容读不出来：{problem}。"
            '请写成 {{"name": "工具名", "arguments": {{"参数": …}}}}。'
        ),
        "unsearched": "还没有检索就作答了。请先用工具取得材料；材料不足再说明无法回答。",
        "cut_off": "上一轮回复过长，写到一半被截断，没有采用。请写得更短，并把标签写完整。",
        "unfinished": "检索在得出答案之前停止。已取得的材料：",
        "nothing_yet": "检索在得出答案之前停止，尚未取得材料。",
        "no_support": "无法回答：没有检索到可以支持答案的材料。",
        "unreachable": "无法回答：所用的来源都没有正常返回结果。",
    },
    "en": {
        "go_on": "The plan is noted. Go on: begin with <think>, then call a tool or answer.",
        "only_plans": "Several rounds held only plans. Call a tool in this round, or answer.",
        "response": "tool {name} · status {status}\n{text}",
        "cut": "… (too long: {count} characters are left out; ask for less)",
        "repeated": (
            "The same call was made in round {turn}; it was not made again, see its result above. "
            "Change the query or the tool, or answer."
        ),
        "too_many": "At most {most} calls a round: {count} were not made.",
        "last": (
            "The next round is the last: answer with <think> and <answer>; "
            "say so if the material does not suffice."
        ),
        "no_plan": "The first round needs a plan: <think>analysis</think><plan>plan</plan>.",
        "no_action": (
            "There was no <plan>, <tool_call> or <answer>. "
            "Begin with <think>, then do exactly one of them."
        ),
        "unreadable": (
            "The <tool_call> cannot be read: {problem}. "
            'Write {{"name": "tool", "arguments": {{"argument": …}}}}.'
        ),
        "unsearched": (
            "That was an answer without a search. Use the tools first; "
            "say so if the material does not suffice."
        ),
        "cut_off": (
            "Your reply was too long and was cut off, so it was not used. "
            "Write less, and close every tag."
        ),
        "unfinished": "The search stopped before there was an answer. Found so far:",
        "nothing_yet": "The search stopped before there was an answer; nothing was found yet.",
        "no_support": "Cannot answer: nothing was found that supports an answer.",
        "unreachable": "Cannot answer: none of the sources could be reached.",
    },
}

ABSTENTIONS = ("无法回答", "cannot answer")
"""How an answer begins that is none, in small letters."""
