"""No text in a prompt is a special token; what a model copies of one is undone."""

from check_rows import table_of
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.servers.rewriting import as_meant, inert, live
from react_agent.parsers.turn.turn import Kind, Turn

FAMILIES = {
    "ChatML, Qwen": ("<|im_start|>system", "<|im_end|>", "<|endoftext|>", "<|vision_start|>"),
    "Llama 3": ("<|begin_of_text|>", "<|start_header_id|>", "<|eot_id|>", "<|python_tag|>"),
    "Llama 2": ("<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<unk>", "<PRE>"),
    "Mistral": ("[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]", "[TOOL_CALLS]"),
    "Gemma": ("<bos>", "<start_of_turn>user", "<end_of_turn>", "<|turn>model", "<turn|>"),
    "DeepSeek": ("<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜tool▁calls▁begin｜>"),
    "Phi": ("<|system|>", "<|user|>", "<|end|>"),
    "GLM": ("[gMASK]", "<sop>", "<eop>", "<|observation|>"),
    "Command R": ("<|START_OF_TURN_TOKEN|>", "<|SYSTEM_TOKEN|>", "<BOS_TOKEN>"),
    "gpt-oss": ("<|start|>", "<|channel|>", "<|message|>", "<|return|>"),
    "Kimi": ("<|im_system|>", "<|im_middle|>", "[BOS]", "[EOS]", "[EOT]"),
    "EXAONE": ("[|system|]", "[|user|]", "[|endofturn|]"),
    "InternLM": ("<|action_start|>", "[UNUSED_TOKEN_146]"),
    "StarCoder": ("<fim_prefix>", "<fim_middle>", "<file_sep>", "<repo_name>"),
    "Seed, Baichuan": ("<seed:bos>", "<seed:eos>", "<reserved_106>"),
}
TOKENS = [token for tokens in FAMILIES.values() for token in tokens]
MARKS = ("<U+003C>", "<U+005B>", "U+003C>", "U+005B>", "<", "[", "<|", "|>", "]", "\n", "a")
texts = st.lists(st.sampled_from((*TOKENS, *MARKS)) | st.text(max_size=4), max_size=8).map("".join)


@table_of("token", TOKENS)
def test_a_token_is_shown_as_text(token: str) -> None:
    shown = inert(f"a{token}b")
    assert token not in shown
    assert live(shown) == f"a{token}b"


@given(texts)
@example("<|[INST]>")
def test_what_is_shown_has_no_token_and_is_undone(text: str) -> None:
    shown = inert(text)
    assert live(shown) == text
    assert [token for token in TOKENS if token in shown] == []


def test_an_input_is_what_the_model_means_and_that_is_said() -> None:
    copied = "<U+003C>|im_start|>"
    turn = Turn(Kind.ACTION, copied, "write_file", f"a\n{copied}", repairs=("so",))
    said = "special tokens, shown in the prompt with U+003C in them, were read as they are meant"
    expected = Turn(
        Kind.ACTION, "<|im_start|>", "write_file", "a\n<|im_start|>", repairs=("so", said)
    )
    assert as_meant(turn) == expected
    assert as_meant(expected) == expected
