/**
 * The table of model types: what each does with positions, and what its configuration class says
 * where a file leaves a key out. A line, continued where it begins with a space, has
 *
 *   model types | scheme | width heads layers length | key=default; … | where it was read
 *
 * The scheme is a layout of rotated pairs with what is special about it, a table with the rows
 * before position 0, a sinusoid with its spacing, the section of a model whose text part is one
 * level deeper with the model type of that part, or another word of `Family`. The values of a line
 * with a section are for files without it, and with "filled" for keys that it leaves out. More is
 * in family_rules.ts. The files are those of transformers, in its models folder; most
 * rows were read in version 5.16, those of learned tables and of images in older ones.
 */
export const familyTable = `
afmoe | half-split | 2048 16 32 16384 | head_dim=128; sliding_window=1024;
  global_attn_every_n_layers=4 | configuration_afmoe.py
aimv2_text_model | learned | 768 6 12 77 |  | configuration_aimv2.py
albert | learned | 4096 64 12 512 | embedding_size=128 | configuration_albert.py
align_text_model | learned | 768 12 12 512 |  | configuration_align.py
altclip_text_model | learned 2 included | 1024 16 24 514 |  | configuration_altclip.py
apertus | half-split | 4096 32 32 65536 | rope_theta=12000000 | configuration_apertus.py
aquila arctic baichuan bailing_moe codeshell deci deepseek Dream exaone grok-1 hf_olmo | half-split
hunyuan internlm internlm2 internlm3 internlmxcomposer2 llada mimo minicpm molmo | half-split
minimax_m1 minimax_text_01 mixformer-sequential nemotron-nas openelm orion phi-msft | half-split
phi3small plamo qwen stablelm_alpha stripedhyena xverse yi Yi | half-split
arcee | half-split | 2560 32 32 4096 |  | modeling_arcee.py:86
aria_text | half-split | 4096 32 32 2048 |  | configuration_aria.py
audioflamingo3_encoder | sinusoidal half-split dim/2-1 | 1280 20 32 1500 |  |
  configuration_audioflamingo3.py
axk1 | interleaved deinterleaved | 7168 64 61 32768 | qk_rope_head_dim=64; qk_nope_head_dim=128;
  rope_interleave=true | modeling_axk1.py:73
axk2 | interleaved deinterleaved | 2048 32 48 131072 | qk_rope_head_dim=32; qk_nope_head_dim=64 |
  modeling_axk2.py:105
bailing_moe_v2 | half-split | 2048 16 20 32768 | head_dim=128; rope_theta=600000;
  partial_rotary_factor=0.5
bamba | half-split | 4096 32 32 262144 | partial_rotary_factor=0.5; attn_layer_indices=[] |
  configuration_bamba.py
bart | learned 2 | 1024 16 12 1024 |  | modeling_bart.py:493
bert | learned | 768 12 12 512 |  | modeling_bert.py:59
bert-generation | learned | 1024 16 24 512 |  | configuration_bert_generation.py
big_bird | learned | 768 12 12 4096 |  | configuration_big_bird.py
bigbird_pegasus | learned | 1024 16 16 4096 |  | modeling_bigbird_pegasus.py:1494
biogpt | learned 2 | 1024 16 24 1024 |  | modeling_biogpt.py:334
bitnet | half-split | 2560 20 30 2048 | rope_theta=500000 | modeling_bitnet.py:265
blenderbot | learned | 2560 32 24 128 |  | modeling_blenderbot.py:454
blenderbot-small | learned | 512 16 8 512 |  | configuration_blenderbot_small.py
blip_2_qformer | learned | 768 12 12 512 |  | configuration_blip_2.py
blip_text_model | learned | 768 8 12 512 |  | modeling_blip.py:189
bloom | alibi | 64 8 2 - |  | configuration_bloom.py
blt_global_transformer | interleaved | 2048 16 25 4096 | rope_theta=500000 | modeling_blt.py:90
blt_local_decoder | interleaved | 1024 16 9 24576 | rope_theta=500000 | modeling_blt.py:90
blt_local_encoder | interleaved | 1024 16 1 24576 | rope_theta=500000 | modeling_blt.py:90
blt_patcher | interleaved | 768 12 14 8192 |  | modeling_blt.py:90
bridgetower_text_model | learned 2 included | 768 12 12 514 |  | modeling_bridgetower.py:197
bros | learned | 768 12 12 512 |  | configuration_bros.py
camembert | learned 2 included | 768 12 12 512 |  | configuration_camembert.py
chameleon | half-split | 4096 32 32 4096 |  | configuration_chameleon.py
chatglm | interleaved | - - - - | partial_rotary_factor=0.5
chinese_clip_text_model | learned | 768 12 12 512 |  | configuration_chinese_clip.py
clap_text_model | learned 2 included | 768 12 12 514 |  | configuration_clap.py
clip_text_model | learned | 512 8 12 77 |  | modeling_clip.py:158
clipseg_text_model | learned | 512 8 12 77 |  | modeling_clipseg.py:146
coarse_acoustics fine_acoustics semantic | learned | 768 12 12 - | block_size=1024 |
  configuration_bark.py
codegen | interleaved | 4096 16 28 2048 | rotary_dim=64 | configuration_codegen.py
cohere | interleaved | 8192 64 40 8192 | rope_theta=500000 | modeling_cohere.py:69
cohere2 | interleaved | 8192 64 40 8192 | sliding_window=4096; sliding_window_pattern=4 |
  configuration_cohere2.py
cohere2_moe | interleaved | 8192 64 40 8192 | head_dim=128; sliding_window=4096;
  sliding_window_pattern=4; prefix_dense_sliding_window_pattern=1 | modular_cohere2_moe.py:126
cohere_asr | learned | 1024 8 8 1024 |  | configuration_cohere_asr.py
cohere_compass_text | half-split | 8192 64 40 8192 | sliding_window=4096;
  sliding_window_pattern=1 | configuration_cohere_compass.py
convbert | learned | 768 12 12 512 | embedding_size=768 | configuration_convbert.py
cosmos3_edge_text | half-split | 2048 16 28 131072 | head_dim=128; rope_theta=100000000 |
  modular_cosmos3_edge.py:180
csm | half-split | 2048 32 16 2048 | rope_theta=500000 | modeling_csm.py:121
csm_depth_decoder_model | half-split | 1024 8 4 33 | rope_theta=500000 | modeling_csm.py:121
ctrl | sinusoidal half-split dim/2 | 1280 16 48 256 |  | modeling_ctrl.py:50
cwm | half-split | 6144 48 64 131072 | head_dim=128; rope_theta=1000000; sliding_window=8192;
  sliding_window_pattern=4 | configuration_cwm.py
data2vec-text | learned 2 included | 768 12 12 512 |  | modeling_data2vec_audio.py:376
dbrx | half-split | 2048 16 24 2048 |  | modeling_dbrx.py:46
deberta | deberta | 768 12 12 512 | relative_attention=false; max_relative_positions=-1;
  position_biased_input=true | configuration_deberta.py
deberta-v2 | deberta | 1536 24 24 512 | relative_attention=false; position_biased_input=true;
  max_relative_positions=-1 | modeling_deberta_v2.py:125
decision_transformer | learned | 128 1 3 1024 |  | modeling_decision_transformer.py:351
deepseek_ocr2_encoder | half-split | 4096 32 32 32768 | use_sliding_window=false;
  sliding_window=4096; max_window_layers=28 | configuration_deepseek_ocr2.py
deepseek_ocr2_text | half-split | 4096 32 32 2048 |  | configuration_deepseek_ocr2.py
deepseek_v2 | interleaved | 4096 32 32 2048 | qk_rope_head_dim=64; qk_nope_head_dim=128 |
  configuration_deepseek_v2.py
deepseek_v3 | interleaved deinterleaved | 7168 128 61 4096 | qk_rope_head_dim=64;
  qk_nope_head_dim=128; rope_interleave=true | modeling_deepseek_v3.py:59
deepseek_v32 | interleaved deinterleaved | 7168 128 61 163840 | qk_rope_head_dim=64;
  qk_nope_head_dim=128 | configuration_deepseek_v32.py
deepseek_v4 | interleaved trailing | 4096 64 43 1048576 | head_dim=512;
  partial_rotary_factor=0.125; sliding_window=128; qk_rope_head_dim=64;
  compress_rope_theta=160000 | modeling_deepseek_v4.py:91
dia_decoder | half-split | 2048 16 18 3072 |  | configuration_dia.py
dia_encoder | half-split | 1024 16 12 1024 | head_dim=128 | configuration_dia.py
diffllama | half-split | 2048 32 16 2048 |  | modeling_diffllama.py:69
diffusion_gemma_text | half-split | 2304 8 30 131072 | head_dim=256; sliding_window=512;
  sliding_window_pattern=6; global_head_dim=512 | modeling_diffusion_gemma.py:65
distilbert | learned | 768 12 6 512 |  | modeling_distilbert.py:86
doge | half-split | 1024 8 32 2048 |  | modeling_doge.py:76
dots1 | half-split | 4608 32 62 2048 | sliding_window=4096; use_sliding_window=true;
  max_window_layers=62 | configuration_dots1.py
dpr | learned | 768 12 12 512 |  | modeling_dpr.py
electra | learned | 256 4 12 512 | embedding_size=128 | configuration_electra.py
emu3_text_model | half-split | 4096 32 32 9216 | rope_theta=1000000 | modeling_emu3.py:1130
ernie | learned | 768 12 12 512 |  | configuration_ernie.py
ernie4_5 | interleaved | 1024 16 18 131072 | head_dim=128; rope_theta=500000 |
  configuration_ernie4_5.py
ernie4_5_moe | interleaved | 2560 20 28 131072 | rope_theta=500000 | configuration_ernie4_5_moe.py
ernie4_5_moe_vl ernie4_5_vl_moe_text | interleaved | 2560 20 28 131072 | rope_theta=500000 |
  modeling_ernie4_5_vl_moe.py:60
esm | learned 2 included | 768 12 12 1026 | rope_theta=10000 | configuration_esm.py
esmc | half-split | 2560 40 80 2048 |  | modular_esmc.py
eurobert | half-split | 768 12 12 8192 |  | configuration_eurobert.py
evolla | half-split | 4096 32 32 8192 | rope_theta=500000 | configuration_evolla.py
exaone4 | half-split | 4096 32 32 2048 | sliding_window=4096; sliding_window_pattern=4 |
  modeling_exaone4.py:71
exaone_moe | half-split | 4096 32 32 2048 | sliding_window=4096; sliding_window_pattern=4 |
  modeling_exaone_moe.py:411
falcon RefinedWeb RefinedWebModel | half-split | 4544 71 32 2048 |  | configuration_falcon.py
falcon_h1 | half-split | 4096 32 32 8192 |  | modeling_falcon_h1.py:53
falcon_mamba | none | 768 - 32 - |  | modeling_falcon_mamba.py:47
flaubert | learned | 2048 16 12 512 |  | configuration_flaubert.py
flava_multimodal_model | none | 768 12 6 - |  | configuration_flava.py
flava_text_model | learned | 768 12 12 512 |  | configuration_flava.py
flex_olmo | half-split | 4096 32 32 4096 | rope_theta=500000 | configuration_flex_olmo.py
fnet | learned | 768 - 12 512 |  | modeling_fnet.py:89
fsmt | sinusoidal half-split dim/2-1 | 1024 16 12 1024 |  | modeling_fsmt.py:79
funnel | transformer-xl | 768 12 - - |  | configuration_funnel.py
gemma | half-split | 3072 16 28 8192 | head_dim=256 | configuration_gemma.py
gemma2 | half-split | 2304 8 26 8192 | head_dim=256; sliding_window=4096 |
  configuration_gemma2.py
gemma3_text | half-split | 2304 8 26 131072 | head_dim=256; rope_theta=1000000;
  sliding_window=4096; sliding_window_pattern=6; rope_local_base_freq=10000 |
  configuration_gemma3.py
gemma3n_text | half-split | 2048 8 35 32768 | head_dim=256; rope_theta=1000000;
  sliding_window=512; rope_local_base_freq=10000; sliding_window_pattern=5 |
  configuration_gemma3n.py
gemma4_text | half-split | 2304 8 30 131072 | head_dim=256; sliding_window=512;
  sliding_window_pattern=6; global_head_dim=512 | modeling_gemma4.py:1085
gemma4_unified_text | half-split | 2304 8 30 262144 | head_dim=256; sliding_window=1024;
  sliding_window_pattern=6; global_head_dim=512 | modeling_gemma4_unified.py:186
git | learned | 768 12 6 1024 |  | configuration_git.py
glm | interleaved | 4096 32 40 131072 | head_dim=128; partial_rotary_factor=0.5 |
  configuration_glm.py
glm4 | interleaved | 4096 32 40 131072 | head_dim=128; partial_rotary_factor=0.5 |
  configuration_glm4.py
glm4_moe | half-split | 4096 96 46 131072 | partial_rotary_factor=0.5
glm4_moe_lite | interleaved deinterleaved | 2048 20 47 202752 | qk_rope_head_dim=64;
  qk_nope_head_dim=192; rope_interleave=true | configuration_glm4_moe_lite.py
glm4v_moe_text | half-split | 4096 96 46 65536 | partial_rotary_factor=0.5 |
  configuration_glm4v_moe.py
glm5_next_text | none | 4096 64 45 4096 | full_attention_interval=4 | configuration_glm5_next.py
glm4v_text | interleaved | 4096 32 40 32768 |  | configuration_glm4v.py
glm_image_text | half-split | 4096 32 40 131072 |  | modeling_glm_image.py:653
glm_moe_dsa | interleaved deinterleaved | 6144 64 78 202752 | qk_rope_head_dim=64;
  qk_nope_head_dim=192 | configuration_glm_moe_dsa.py
glm_ocr_text | interleaved | 1024 16 16 131072 |  | modeling_glm_ocr.py:630
glmasr_encoder | half-split | 1280 20 32 1500 | partial_rotary_factor=0.5 |
  configuration_glmasr.py
gpt2 | learned | 768 12 12 1024 |  | configuration_gpt2.py
gpt_bigcode | learned | 768 12 12 1024 |  | modeling_gpt_bigcode.py:378
gpt_neo | learned | 2048 16 24 2048 | window_size=256; sliding_window_pattern=2 |
  configuration_gpt_neo.py
gpt_neox | half-split | 6144 64 44 2048 | partial_rotary_factor=0.25 | modeling_gpt_neox.py:53
gpt_neox_japanese | half-split | 2560 32 32 2048 |  | modeling_gpt_neox_japanese.py:58
gpt_oss | half-split | 2880 64 36 131072 | head_dim=64; rope_theta=150000; sliding_window=128;
  sliding_window_pattern=2 | configuration_gpt_oss.py
gptj | interleaved | 4096 16 28 2048 | rotary_dim=64 | modeling_gptj.py:104
granite | half-split | 4096 32 32 2048 |  | configuration_granite.py
granite4_vision_text | half-split | 4096 32 32 2048 |  | modeling_granite4_vision.py:214
granite_swa | half-split | 2560 20 24 8192 | sliding_window=128; sliding_window_pattern=4 |
  modeling_granite_swa.py:327
granitemoe | half-split | 4096 32 32 2048 |  | modeling_granitemoe.py:68
granitemoe_swa | half-split | 4096 32 32 2048 | sliding_window=128; sliding_window_pattern=4 |
  configuration_granitemoe_swa.py
granitemoehybrid | none half-split | 4096 32 32 2048 |  | modeling_granitemoehybrid.py:1049
granitemoeshared | half-split | 4096 32 32 2048 |  | configuration_granitemoeshared.py
groupvit_text_model | learned | 256 4 12 77 |  | configuration_groupvit.py
helium | interleaved | 2560 20 24 4096 | head_dim=128; rope_theta=100000 |
  configuration_helium.py
higgs_audio_v2 | half-split | 3072 24 28 2048 | head_dim=128 | configuration_higgs_audio_v2.py
hrm_text | half-split | 1536 12 128 2048 |  | modeling_hrm_text.py:353
hunyuan_v1_dense | half-split | 4096 32 32 2048 |  | configuration_hunyuan_v1_dense.py
hunyuan_v1_moe | half-split | 4096 32 32 2048 |  | modeling_hunyuan_v1_moe.py:390
hunyuan_vl_text | half-split | 4096 32 32 2048 |  | modeling_hunyuan_vl.py:86
hy_v3 | half-split | 4096 64 80 131072 | head_dim=128; rope_theta=11158840 | modeling_hy_v3.py:67
hy_v4 | half-split | 2816 32 34 262144 | qk_rope_head_dim=64; qk_nope_head_dim=192 |
  modular_hy_v4.py:286
hymba | half-split | 4096 32 32 262144
hyperclovax | half-split | 4096 32 32 2048 |  | configuration_hyperclovax.py
ibert | learned 2 included | 768 12 12 512 |  | modeling_ibert.py:76
idefics | half-split | 4096 32 32 - |  | modeling_idefics.py:370
idefics2_perceiver speecht5_hifigan vibevoice_acoustic_tokenizer | none
imagegpt | learned | 512 8 24 1024 |  | configuration_imagegpt.py
instructblip_qformer | learned | 768 12 12 512 |  | configuration_instructblip.py
instructblipvideo_qformer | learned | 768 12 12 512 |  | configuration_instructblipvideo.py
gpt_refact jais | alibi
jais2 | half-split | 3328 26 32 8192 |  | configuration_jais2.py
jamba | none | 4096 32 32 262144 | attn_layer_period=8; attn_layer_offset=4 |
  modeling_jamba.py:60
jetmoe | half-split | 2048 32 12 4096 | kv_channels=128 | modeling_jetmoe.py:70
jina_embeddings_v3 | half-split | 1024 16 24 8194 | rope_theta=20000 |
  modeling_jina_embeddings_v3.py:97
kimi_k2 | interleaved deinterleaved
kimi_linear | none | 2304 32 27 1048576 | full_attention_interval=4 |
  configuration_kimi_linear.py
kosmos_2_5_text_model | sinusoidal half-split dim/2-1 | 1536 16 24 4096 |  |
  configuration_kosmos2_5.py
kosmos_2_text_model | sinusoidal half-split dim/2-1 | 2048 32 24 2048 |  | configuration_kosmos2.py
kyutai_speech_to_text | half-split | 2048 32 48 750 | sliding_window=375 |
  configuration_kyutai_speech_to_text.py
laguna | half-split | 2048 48 40 131072 | head_dim=128; sliding_window=512;
  sliding_window_pattern=1 | configuration_laguna.py
lasr_encoder | half-split | 512 8 17 10000 |  | configuration_lasr.py
layoutlm | learned | 768 12 12 512 |  | modeling_layoutlm.py:54
layoutlmv2 | learned | 768 12 12 512 |  | configuration_layoutlmv2.py
layoutxlm | learned | 768 12 12 512
led | learned | 1024 16 12 - | max_encoder_position_embeddings=16384;
  max_decoder_position_embeddings=1024 | configuration_led.py
lfm2 | half-split | 2560 32 32 128000 | rope_theta=1000000 | modeling_lfm2.py:66
lfm2_moe | half-split | 2048 32 32 128000 | rope_theta=1000000 | modeling_lfm2_moe.py:73
lilt | learned 1 included | 768 12 12 512 |  | configuration_lilt.py
llama | half-split | 4096 32 32 2048 |  | configuration_llama.py
llama4_text | interleaved | 5120 40 48 131072 | head_dim=128; rope_theta=500000;
  no_rope_layer_interval=4; attention_chunk_size=8192; attn_temperature_tuning=true;
  floor_scale=8192; attn_scale=0.1 | configuration_llama4.py
longcat_flash | interleaved deinterleaved | 6144 64 56 131072 | rope_theta=10000000;
  qk_rope_head_dim=64; qk_nope_head_dim=128 | configuration_longcat_flash.py
longformer | learned 2 included | 768 12 12 512 |  | modeling_longformer.py:398
longt5 | t5 | 512 8 6 - | relative_attention_num_buckets=32; relative_attention_max_distance=128
  | modeling_longt5.py:348
luke | learned 2 included | 768 12 12 512 |  | modeling_luke.py:298
lxmert | learned | 768 12 - 512 |  | configuration_lxmert.py
m2m_100 | sinusoidal half-split dim/2-1 | 1024 16 12 1024 |  | configuration_m2m_100.py
mamba | none | 768 - 32 - |  | modeling_mamba.py:285
mamba2 | none | 4096 128 64 - | head_dim=64 | modeling_mamba2.py:105
marian | sinusoidal half-split dim/2 | 1024 16 12 1024 |  | modeling_marian.py:72
markuplm | learned 2 included | 768 12 12 512 |  | modeling_markuplm.py:102
mbart | learned 2 | 1024 16 12 1024 |  | modeling_mbart.py:499
megatron-bert | learned | 1024 16 24 512 |  | modeling_megatron_bert.py:56
mellum | half-split | 2304 32 28 131072 | head_dim=128; sliding_window=1024 |
  modeling_mellum.py:47
metaclip_2_text_model | learned | 512 8 12 77 |  | modeling_metaclip_2.py:48
mimi | half-split | 512 8 8 8000 | sliding_window=250 | modeling_mimi.py:512
mimo_v2 mimo_v2_flash | half-split | 4096 64 48 131072 | head_dim=192; sliding_window=128;
  rope_theta=5000000; swa_rope_theta=10000; partial_rotary_factor=0.334 |
  modeling_mimo_v2_flash.py:68
minicpm3 | half-split | 2560 40 62 32768 | qk_rope_head_dim=32; qk_nope_head_dim=64 |
  modeling_minicpm3.py:81
minimax | half-split | 4096 32 32 131072 | rope_theta=1000000; sliding_window_pattern=2 |
  modeling_minimax.py:267
minimax_m2 | half-split | 3072 48 62 196608 | head_dim=128; rope_theta=5000000 |
  configuration_minimax_m2.py
minimax_m3_vl_text | half-split | 6144 64 60 524288 | head_dim=128; rope_theta=5000000;
  rotary_dim=64 | modular_minimax_m3_vl.py
ministral | half-split | 4096 32 32 131072 | sliding_window=4096 | modeling_ministral.py:283
ministral3 | half-split | 4096 32 34 262144 | head_dim=128 | configuration_ministral3.py
mistral | half-split | 4096 32 32 131072 | sliding_window=4096 | modeling_mistral.py:263
mistral4 | interleaved deinterleaved | 4096 32 36 1048576 | qk_rope_head_dim=64;
  qk_nope_head_dim=64; rope_interleave=true; partial_rotary_factor=0.5 | modeling_mistral4.py:72
mixtral | half-split | 4096 32 32 131072 | rope_theta=1000000 | modeling_mixtral.py:155
mllama_text_model | half-split | 4096 32 40 131072 | rope_theta=500000 | modeling_mllama.py:707
mobilebert | learned | 512 4 24 512 |  | modeling_mobilebert.py:78
modernbert | half-split | 768 12 22 8192 | local_attention=128; global_attn_every_n_layers=3;
  global_rope_theta=160000; local_rope_theta=10000 | configuration_modernbert.py
modernbert-decoder | half-split | 768 12 22 8192 | local_attention=128;
  global_attn_every_n_layers=3; global_rope_theta=160000; local_rope_theta=10000 |
  configuration_modernbert_decoder.py
moonshine | interleaved | 288 8 6 512 | partial_rotary_factor=0.9 | modeling_moonshine.py:101
moonshine_streaming | interleaved | 320 8 6 4096 | partial_rotary_factor=0.8 |
  modeling_moonshine_streaming.py:467
moonshine_streaming_encoder | none | 320 8 6 4096 |  | configuration_moonshine_streaming.py
moshi | half-split | 4096 32 32 3000 | sliding_window=3000 | configuration_moshi.py
moshi_depth | none | 1024 16 6 9 | sliding_window=8 | configuration_moshi.py
mpt | alibi | 2048 16 24 2048 |  | modeling_mpt.py:42
mra | learned 2 | 768 12 12 512 |  | modeling_mra.py:471
mt5 | t5 | 512 6 8 - | relative_attention_num_buckets=32; relative_attention_max_distance=128 |
  configuration_mt5.py
muse_glimmer_assistant | half-split | 6656 32 5 131072 | head_dim=128; sliding_window=2048;
  rope_theta=500000 | modeling_muse_glimmer_assistant.py:315
muse_glimmer_text | half-split | 6656 32 52 131072 | head_dim=128; sliding_window=2048;
  sliding_window_pattern=4 | modeling_muse_glimmer.py:161
musicgen_decoder | sinusoidal half-split-cos-first dim/2-1 | 1024 16 24 2048 |  |
  modeling_musicgen.py:106
musicgen_melody_decoder | sinusoidal half-split-cos-first dim/2-1 | 1024 16 24 2048 |  |
  configuration_musicgen_melody.py
mvp | learned 2 | 1024 16 12 1024 |  | modeling_mvp.py:502
nanochat | half-split negated | 768 6 12 2048 |  | modeling_nanochat.py:61
nemotron | half-split | 6144 48 32 4096 | partial_rotary_factor=0.5 | modeling_nemotron.py:85
nemotron_h | none | 4096 32 - 4096 | head_dim=128 | configuration_nemotron_h.py
neobert | interleaved | 768 12 28 4096
nllb-moe | sinusoidal half-split dim/2-1 | 1024 16 12 1024 |  | configuration_nllb_moe.py
nomic_bert | half-split | 768 12 12 2048 | rope_theta=1000 | configuration_nomic_bert.py
nystromformer | learned 2 | 768 12 12 510 |  | configuration_nystromformer.py
olmo | half-split | 4096 32 32 2048 |  | modeling_olmo.py:80
olmo2 | half-split | 4096 32 32 2048 |  | modeling_olmo2.py:72
olmo3 | half-split | 4096 32 32 2048 | rope_theta=500000; sliding_window=4096;
  sliding_window_pattern=4 | configuration_olmo3.py
olmo_hybrid | half-split | 3840 30 32 65536 | full_attention_interval=4 |
  configuration_olmo_hybrid.py
olmoe | half-split | 2048 16 16 4096 |  | modeling_olmoe.py:65
openai-gpt | learned | 768 12 12 512 |  | configuration_openai.py
openai_privacy_filter | interleaved | 640 14 8 131072 | head_dim=64; sliding_window=128 |
  configuration_openai_privacy_filter.py
opt | learned 2 | 768 12 12 2048 |  | modeling_opt.py:290
owlv2_text_model | learned | 512 8 12 16 |  | configuration_owlv2.py
owlvit_text_model | learned | 512 8 12 16 |  | modeling_owlvit.py:292
paddleocr_vl_text | half-split | 1024 16 18 131072 | head_dim=128; rope_theta=500000 |
  modeling_paddleocr_vl.py:122
pe_audio_encoder | interleaved | 1792 14 6 10000 | head_dim=128; rope_theta=20000 |
  modeling_pe_audio.py:556
pe_audio_video_encoder | interleaved | 1792 14 6 10000 | head_dim=128; rope_theta=20000 |
  configuration_pe_audio_video.py
pe_video_encoder | interleaved | 1792 14 6 10000 | head_dim=128; rope_theta=20000 |
  configuration_pe_video.py
pegasus | sinusoidal half-split dim/2 | 1024 16 12 1024 |  | configuration_pegasus.py
pegasus_x | sinusoidal half-split dim/2-1 | 1024 16 16 16384 |  | modeling_pegasus_x.py:94
persimmon | half-split | 4096 64 36 16384 | partial_rotary_factor=0.5 | modeling_persimmon.py:58
phi | half-split | 2048 32 24 2048 | partial_rotary_factor=0.5 | modeling_phi.py:34
phi3 phi3_v | half-split | 3072 32 32 4096 | original_max_position_embeddings=4096 |
  modeling_phi3.py:68
phi4flash | none | 2560 40 32 262144
phi4_multimodal | half-split | 3072 32 32 131072 | original_max_position_embeddings=4096;
  partial_rotary_factor=1 | configuration_phi4_multimodal.py
phimoe | half-split | 4096 32 32 131072 | rope_theta=1000000 | configuration_phimoe.py
pix2struct_text_model | t5 | 768 12 12 - | relative_attention_num_buckets=32;
  relative_attention_max_distance=128 | modeling_pix2struct.py:586
plbart | learned 2 | 768 12 6 1024 |  | modeling_plbart.py:343
pop2piano | t5 | 512 8 6 - | relative_attention_num_buckets=32;
  relative_attention_max_distance=128 | configuration_pop2piano.py
progen | interleaved
qwen2 | half-split | 4096 32 32 32768 | use_sliding_window=false; sliding_window=4096;
  max_window_layers=28 | modeling_qwen2.py:52
qwen2_5_omni_talker qwen2_5_omni_text | half-split | 3584 28 28 32768 | use_sliding_window=false;
  max_window_layers=28; rope_theta=1000000 | modeling_qwen2_5_omni.py:1331
qwen2_5_vl_text | half-split | 8192 64 80 32768 | use_sliding_window=false; max_window_layers=80;
  rope_theta=1000000 | modeling_qwen2_5_vl.py:487
qwen2_audio_encoder | sinusoidal half-split dim/2-1 | 1280 20 - 1500 |  |
  configuration_qwen2_audio.py
qwen2_moe | half-split | 2048 16 24 32768 | sliding_window=0; use_sliding_window=false;
  max_window_layers=28 | modeling_qwen2_moe.py:77
qwen2_vl_text | half-split | 8192 64 80 32768 | rope_theta=1000000; use_sliding_window=false;
  sliding_window=4096; max_window_layers=80 | configuration_qwen2_vl.py
qwen3 | half-split | 4096 32 32 32768 | head_dim=128; use_sliding_window=false;
  sliding_window=4096; max_window_layers=28 | configuration_qwen3.py
qwen3_5_moe_text | half-split | 2048 16 40 32768 | head_dim=256; partial_rotary_factor=0.25;
  full_attention_interval=4 | modeling_qwen3_5_moe.py:86
qwen3_5_text | half-split | 4096 16 32 32768 | head_dim=256; partial_rotary_factor=0.25;
  full_attention_interval=4 | configuration_qwen3_5.py
qwen3_moe | half-split | 2048 32 24 32768 | use_sliding_window=false | modeling_qwen3_moe.py:382
qwen3_next | half-split | 2048 16 48 32768 | head_dim=256; partial_rotary_factor=0.25;
  full_attention_interval=4 | modeling_qwen3_next.py:78
qwen3_omni_moe_audio_encoder | sinusoidal half-split dim/2-1 | 1280 20 - 1500 |  |
  configuration_qwen3_omni_moe.py
qwen3_omni_moe_talker_code_predictor | half-split | 1024 16 5 32768 | head_dim=128;
  max_window_layers=28 | configuration_qwen3_omni_moe.py
qwen3_omni_moe_talker_text | half-split | 1024 16 20 32768 |  | configuration_qwen3_omni_moe.py
qwen3_omni_moe_text | half-split | 2048 28 28 32768 | rope_theta=1000000 |
  configuration_qwen3_omni_moe.py
qwen3_vl_moe_text | half-split | 2048 16 24 128000 | rope_theta=500000 |
  configuration_qwen3_vl_moe.py
qwen3_vl_text | half-split | 4096 32 32 128000 | head_dim=128; rope_theta=500000 |
  modeling_qwen3_vl.py:310
qwen4_exp_text | half-split | 2048 16 40 32768 | head_dim=256; full_attention_interval=4 |
  configuration_qwen4_exp.py
recurrent_gemma | half-split | 2560 10 26 - | partial_rotary_factor=0.5;
  attention_window_size=2048 | configuration_recurrent_gemma.py
rembert | learned | 1152 18 32 512 | input_embedding_size=256 | configuration_rembert.py
roberta | learned 2 included | 768 12 12 512 |  | configuration_roberta.py
roberta-prelayernorm | learned 2 included | 768 12 12 512 |  | modeling_roberta_prelayernorm.py:67
roc_bert | learned | 768 12 12 512 |  | modeling_roc_bert.py:62
roformer | interleaved | 768 12 12 1536 |  | modeling_roformer.py:49
rwkv rwkv5 rwkv6 | none | 4096 - 32 - |  | configuration_rwkv.py
rwkv7 | none | 768 12 12 8192 | head_dim=64 | configuration_rwkv7.py
sam3_lite_text_text_model | learned | 512 8 12 77 |  | configuration_sam3_lite_text.py
seed_oss | half-split | 4096 80 64 524288 | head_dim=128 | modeling_seed_oss.py:291
sew-d | deberta | 768 12 12 512 | position_buckets=256; relative_attention=true;
  position_biased_input=false | configuration_sew_d.py
siglip2_text_model | learned | 768 12 12 64 |  | modeling_siglip2.py:128
siglip_text_model | learned | 768 12 12 64 |  | modeling_siglip.py:134
smollm3 | half-split | 2048 16 36 32768 | rope_theta=2000000; use_sliding_window=false;
  no_rope_layer_interval=4 | configuration_smollm3.py
solar_open | half-split | 4096 64 48 131072 | head_dim=128; rope_theta=1000000 |
  modeling_solar_open.py:396
speech_to_text | sinusoidal half-split dim/2-1 | 256 4 6 6000 |  | modeling_speech_to_text.py:103
splinter | learned | 768 12 12 512 |  | configuration_splinter.py
squeezebert | learned | 768 12 12 512 |  | modeling_squeezebert.py:51
stablelm stablelm_epoch | half-split | 2560 32 32 4096 | partial_rotary_factor=0.25 |
  configuration_stablelm.py
starcoder2 | half-split | 3072 24 30 4096 |  | configuration_starcoder2.py
step3p5 | half-split | 4096 64 45 128000 | head_dim=128; yarn_only_types=["full_attention"] |
  configuration_step3p7.py
switch_transformers | t5 | 768 12 12 - | relative_attention_num_buckets=32;
  relative_attention_max_distance=128 | configuration_switch_transformers.py
t5 | t5 | 512 8 6 - | relative_attention_num_buckets=32; relative_attention_max_distance=128 |
  modeling_t5.py:188
t5_gemma_module | half-split | 2304 8 26 8192 | head_dim=256; sliding_window=4096;
  sliding_window_pattern=2 | configuration_t5gemma.py
t5gemma2_decoder t5gemma2_text | half-split | 2304 8 26 131072 | head_dim=256;
  sliding_window=4096; sliding_window_pattern=6 | modeling_t5gemma2.py:95
tapas | learned | 768 12 12 1024 |  | configuration_tapas.py
timesfm2_5 | half-split | 1280 16 20 16384 | head_dim=80 | modeling_timesfm2_5.py:140
tipsv2_text_model | sinusoidal half-split dim/2-1 | 768 12 12 64 |  | modeling_tipsv2.py:458
transfo-xl | transformer-xl
trocr | learned 2 | 1024 16 12 512 |  | modeling_trocr.py:418
tvp | learned | 768 12 12 512 |  | configuration_tvp.py
umt5 | t5 | 512 6 8 - | relative_attention_num_buckets=32; relative_attention_max_distance=128 |
  modeling_umt5.py:200
vaultgemma | half-split | 2304 8 26 8192 | head_dim=256; sliding_window=4096;
  sliding_window_pattern=2 | modeling_vaultgemma.py:276
videoprism_text_model | sinusoidal half-split dim/2-1 | 768 12 12 64 |  |
  configuration_videoprism.py
vilt | learned | 768 12 12 40 |  | modeling_vilt.py:86
visual_bert | learned | 768 12 12 512 |  | configuration_visual_bert.py
voxtral_encoder | sinusoidal half-split dim/2-1 | 1280 20 32 1500 |  | configuration_voxtral.py
voxtral_realtime_encoder | half-split | 1280 32 32 1500 | head_dim=64; sliding_window=750 |
  modeling_voxtral_realtime.py:154
voxtral_realtime_text | half-split | 4096 32 32 131072 | sliding_window=4096 |
  modeling_voxtral_realtime.py:154
whisper | sinusoidal half-split dim/2-1 | 384 6 4 1500 | max_target_positions=448
  | modeling_whisper.py:525
xclip_text_model | learned | 512 8 12 77 |  | modeling_x_clip.py:106
xglm | sinusoidal half-split dim/2-1 | 1024 - 24 2048 |  | configuration_xglm.py
xlm | learned | 2048 16 12 512 |  | configuration_xlm.py
xlm-roberta | learned 2 included | 768 12 12 512 |  | configuration_xlm_roberta.py
xlm-roberta-xl | learned 2 included | 2560 32 36 514 |  | configuration_xlm_roberta_xl.py
xlnet | transformer-xl | 1024 16 24 - |  | configuration_xlnet.py
xlstm | none | 4096 8 32 - |  | configuration_xlstm.py
xmod | learned 2 included | 768 12 12 512 |  | configuration_xmod.py
yoso | learned 2 | 768 12 12 4096 |  | modeling_yoso.py:231
youtu | interleaved deinterleaved | 2048 16 32 131072 | qk_rope_head_dim=64;
  qk_nope_head_dim=128; rope_interleave=true | configuration_youtu.py
zamba | none | 3712 16 76 4096 |  | configuration_zamba.py
zamba2 | none half-split | 2560 32 54 4096 | rope_theta=10000 | configuration_zamba2.py
zaya | half-split | 2048 8 40 131072 | head_dim=128 | modular_zaya.py
aimv2_vision_model align_vision_model altclip_vision_model autoformer beit | other
blip_2_vision_model canine chameleon_vqgan chinese_clip_vision_model chmv2 | other
clap_audio_model cosmos3_edge_vision cpmant d_fine | other
deepseek_ocr2_sam_vision_model deformable_detr deimv2 depth_anything depth_pro | other
dinat dinov2 dinov2_with_registers donut-swin edgetam edgetam_video | other
edgetam_vision_model efficientnet fastspeech2_conformer | other
fastspeech2_conformer_hifigan flava_image_model focalnet gemma3n_audio | other
gemma3n_vision git_vision_model glpn granite_speech_encoder | other
groupvit_vision_model hubert idefics2_vision informer inkling_mm_model | other
inkling_text instructblip_vision_model instructblipvideo_vision_model | other
internvl_vision kosmos_2_5_vision_model kosmos_2_vision_model layoutlmv3 levit | other
lw_detr lw_detr_vit maskformer maskformer-swin minicpmv4_6_vision | other
mm-grounding-dino mobilevitv2 mpnet neomme oneformer owlv2_vision_model patchtst | other
perceiver phi4_multimodal_audio phi4_multimodal_vision pp_doclayout_v3 pp_lcnet | other
pp_lcnet_v3 pp_ocrv5_mobile_rec pp_ocrv5_server_det pp_ocrv5_server_rec | other
prophetnet pvt pvt_v2 qianfan_ocr_vision radio reformer regnet resnet rf_detr | other
rf_detr_dinov2 rt_detr_v2 sam sam2 sam2_hiera_det_model sam2_video | other
sam2_vision_model sam3_lite_text_detr_decoder sam3_lite_text_detr_encoder | other
sam3_lite_text_geometry_encoder sam3_lite_text_mask_decoder sam3_tracker sam_hq | other
sam_hq_vision_model sam_vision_model sapiens2_head seamless_m4t seamless_m4t_v2 | other
sew slanet smolvlm_vision speecht5 superglue superpoint swiftformer swinv2 | other
table-transformer textnet timesformer udop unispeech upernet | other
videoprism_vision_model vit_mae vitdet vitmatte vits vivit wav2vec2 | other
wav2vec2-bert xcodec xcodec2 | other
cohere_compass_vision dinov3_vit eomt_dinov3 ernie4_5_vl_moe_vision | image
exaone4_5_vision gemma4_vision glm4v_moe_vision glm4v_vision glm_ocr_vision | image
kimi_k25_vision llama4_vision_model minimax_m3_vl_vision mlcd_vision_model | image
muse_glimmer_vision paddleocr_vl_vision pixtral qwen2_5_vl_vision | image
qwen2_vl_vision qwen3_5_moe_vision qwen3_5_vision qwen3_omni_moe_vision_encoder | image
qwen3_vl_moe_vision qwen3_vl_vision qwen4_exp_vision sam3_vit_model sapiens2 step3p5_vision | image
video_llama_3_vision | image
`;
