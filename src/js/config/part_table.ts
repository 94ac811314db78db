/**
 * The rows of family_table.ts, in its form, of models whose text part is a section of the
 * configuration.
 */
export const partTable = `
aimv2 | part text_config aimv2_text_model |  |  | configuration_aimv2.py
align | part text_config align_text_model |  |  | configuration_align.py
altclip | part text_config altclip_text_model |  |  | configuration_altclip.py
aria | part text_config aria_text |  |  | configuration_aria.py
audioflamingo3 | part text_config qwen2 |  |  | configuration_audioflamingo3.py
aya_vision cohere2_vision | part text_config cohere2 |  |  | modeling_cohere2.py:43
bark | part semantic_config semantic |  |  | configuration_bark.py
blip | part text_config blip_text_model |  |  | modeling_blip.py:189
blip-2 | part text_config opt |  |  | configuration_blip_2.py
bridgetower | part text_config bridgetower_text_model |  |  | modeling_bridgetower.py:197
chinese_clip | part text_config chinese_clip_text_model |  |  | configuration_chinese_clip.py
clap | part text_config clap_text_model |  |  | configuration_clap.py
clip omdet-turbo sam3 | part text_config clip_text_model |  |  | modeling_clip.py:158
clipseg | part text_config clipseg_text_model |  |  | modeling_clipseg.py:146
clvp | part text_config clvp_encoder
cohere_compass | part text_config cohere_compass_text |  |  | configuration_cohere_compass.py
colmodernvbert | part vlm_config modernvbert |  |  | configuration_colmodernvbert.py
colpali | part vlm_config paligemma |  |  | configuration_colpali.py
colqwen2 | part vlm_config qwen2_vl |  |  | modeling_qwen2_vl.py:118
cosmos3_edge | part text_config cosmos3_edge_text |  |  | configuration_cosmos3_edge.py
cosmos3_omni | part text_config qwen3_vl_text |  |  | configuration_cosmos3_omni.py
deepseek_ocr2 | part text_config deepseek_ocr2_text |  |  | configuration_deepseek_ocr2.py
deepseek_ocr2_vision | part encoder_config deepseek_ocr2_encoder |  |  |
  configuration_deepseek_ocr2.py
deepseek_vl | part text_config llama |  |  | configuration_deepseek_vl.py
deepseek_vl_hybrid idefics3 janus vipllava | part text_config llama |  |  | modeling_llama.py:74
dia | part decoder_config dia_decoder |  |  | configuration_dia.py
diffusion_gemma | part text_config diffusion_gemma_text |  |  | modeling_diffusion_gemma.py:65
dots_ocr | part text_config qwen2
emu3 | part text_config emu3_text_model |  |  | modeling_emu3.py:1130
encoder-decoder | part decoder |  |  | configuration_encoder_decoder.py
ernie4_5_vl_moe | part text_config ernie4_5_vl_moe_text |  |  | modeling_ernie4_5_vl_moe.py:60
esmfold2 | part esmc_config esmc |  |  | configuration_esmfold2.py
exaone4_5 | part text_config exaone4 |  |  | configuration_exaone4_5.py
fast_vlm musicflamingo ovis2 pp_chart2table vibevoice vibevoice_asr | part text_config qwen2 |  |  |
  modeling_qwen2.py:52
fastspeech2_conformer_with_hifigan | part model_config fastspeech2_conformer
flava | part text_config flava_text_model |  |  | configuration_flava.py
florence2 | part text_config bart |  |  | modeling_bart.py:493
fuyu | part text_config persimmon |  |  | configuration_fuyu.py
gemma3 | part text_config gemma3_text |  |  | configuration_gemma3.py
gemma3n | part text_config gemma3n_text |  |  | configuration_gemma3n.py
gemma4 | part text_config gemma4_text |  |  | modeling_gemma4.py:1085
gemma4_assistant | part text_config gemma4_text |  |  | configuration_gemma4_assistant.py
gemma4_unified | part text_config gemma4_unified_text |  |  | modeling_gemma4_unified.py:186
gemma4_unified_assistant | part text_config gemma4_unified_text |  |  |
  configuration_gemma4_unified_assistant.py
glm46v | part text_config glm4v_text |  |  | modeling_glm4v.py:387
glm4v | part text_config glm4v_text |  |  | configuration_glm4v.py
glm4v_moe | part text_config glm4v_moe_text
glm5_next | part text_config glm5_next_text |  |  | configuration_glm5_next.py
glm_image | part text_config glm_image_text |  |  | modeling_glm_image.py:653
glm_ocr | part text_config glm_ocr_text |  |  | modeling_glm_ocr.py:630
glmasr | part text_config llama filled | 2048 16 28 8192 |  | configuration_glmasr.py
glmga | part text_config glm4v_text |  |  | configuration_glmga.py
got_ocr2 | part text_config qwen2 | 1024 16 24 32768 | rope_theta=1000000 |
  configuration_got_ocr2.py
granite4_vision | part text_config granite4_vision_text |  |  | configuration_granite4_vision.py
granite_speech | part text_config granite |  |  | configuration_granite_speech.py
granite_speech_plus | part text_config granite |  |  | configuration_granite_speech_plus.py
grounding-dino | part text_config bert |  |  | modeling_bert.py:59
groupvit | part text_config groupvit_text_model |  |  | configuration_groupvit.py
hunyuan_vl | part text_config hunyuan_vl_text |  |  | modeling_hunyuan_vl.py:86
idefics2 | part text_config mistral |  |  | configuration_idefics2.py
instructblip | part text_config opt |  |  | configuration_instructblip.py
instructblipvideo | part text_config opt |  |  | configuration_instructblipvideo.py
internvl | part text_config qwen2 |  |  | configuration_internvl.py
kimi_k25 | part text_config deepseek_v3 |  |  | modeling_deepseek_v3.py:59
kosmos-2 | part text_config kosmos_2_text_model |  |  | configuration_kosmos2.py
kosmos-2.5 | part text_config kosmos_2_5_text_model |  |  | configuration_kosmos2_5.py
lasr_ctc | part encoder_config lasr_encoder |  |  | configuration_lasr.py
lfm2_vl | part text_config lfm2 |  |  | configuration_lfm2_vl.py
lighton_ocr | part text_config qwen3 | 1024 16 28 40960 | head_dim=128; rope_theta=1000000 |
  configuration_lighton_ocr.py
llama4 | part text_config llama4_text |  |  | configuration_llama4.py
llava | part text_config llama |  |  | configuration_llava.py
llava_next | part text_config llama
llava_next_video | part text_config llama |  |  | configuration_llava_next_video.py
llava_onevision | part text_config qwen2 |  |  | configuration_llava_onevision.py
metaclip_2 | part text_config metaclip_2_text_model |  |  | modeling_metaclip_2.py:48
minicpmv4_6 | part text_config qwen3_5_text |  |  | configuration_minicpmv4_6.py
minimax_m3_vl | part text_config minimax_m3_vl_text fixed |  |  | modular_minimax_m3_vl.py
mistral3 | part text_config mistral | 5120 32 40 131072 | head_dim=128; rope_theta=1000000000;
  sliding_window=0 | configuration_mistral3.py
mllama | part text_config mllama_text_model |  |  | modeling_mllama.py:707
modernvbert | part text_config modernbert |  |  | configuration_modernvbert.py
muse_glimmer | part text_config muse_glimmer_text |  |  | modeling_muse_glimmer.py:161
musicgen | part decoder musicgen_decoder |  |  | configuration_musicgen.py
musicgen_melody | part decoder musicgen_melody_decoder |  |  | configuration_musicgen_melody.py
nemotron_h_omni | part llm_config nemotron_h |  |  | configuration_nemotron_h_omni.py
nougat | part decoder |  |  | configuration_nougat.py
owlv2 | part text_config owlv2_text_model |  |  | configuration_owlv2.py
owlvit | part text_config owlvit_text_model |  |  | modeling_owlvit.py:292
paddleocr_vl | part text_config paddleocr_vl_text |  |  | modeling_paddleocr_vl.py:122
paligemma | part text_config gemma |  |  | modeling_gemma.py:101
pe_audio | part text_config modernbert filled | 1024 16 22 - |  | modeling_modernbert.py:95
pe_audio_video | part text_config modernbert filled | 1024 16 22 - |  |
  configuration_pe_audio_video.py
pe_video | part text_config modernbert filled | 1024 16 22 - |  | configuration_pe_video.py
perception_lm | part text_config llama |  |  | configuration_perception_lm.py
pi0 | part vlm_config paligemma
pix2struct | part text_config pix2struct_text_model |  |  | modeling_pix2struct.py:586
pp_formulanet | part text_config mbart | 512 16 8 2560 |  | configuration_pp_formulanet.py
qianfan_ocr | part text_config qwen3 |  |  | configuration_qianfan_ocr.py
qwen2_5_omni | part thinker_config qwen2_5_omni_thinker |  |  | modeling_qwen2_5_omni.py:1331
qwen2_5_omni_thinker | part text_config qwen2_5_omni_text |  |  | modeling_qwen2_5_omni.py:1331
qwen2_5_vl | part text_config qwen2_5_vl_text |  |  | modeling_qwen2_5_vl.py:487
qwen2_audio | part text_config qwen2 |  |  | configuration_qwen2_audio.py
qwen2_vl | part text_config qwen2_vl_text |  |  | configuration_qwen2_vl.py
qwen3_5 | part text_config qwen3_5_text |  |  | configuration_qwen3_5.py
qwen3_5_moe | part text_config qwen3_5_moe_text |  |  | modeling_qwen3_5_moe.py:86
qwen3_asr | part text_config qwen3 |  |  | modeling_qwen3.py:87
qwen3_omni_moe | part thinker_config qwen3_omni_moe_thinker |  |  |
  configuration_qwen3_omni_moe.py
qwen3_omni_moe_talker | part text_config qwen3_omni_moe_talker_text
qwen3_omni_moe_thinker | part text_config qwen3_omni_moe_text |  |  |
  configuration_qwen3_omni_moe.py
qwen3_vl | part text_config qwen3_vl_text |  |  | modeling_qwen3_vl.py:310
qwen3_vl_moe | part text_config qwen3_vl_moe_text |  |  | configuration_qwen3_vl_moe.py
qwen4_exp | part text_config qwen4_exp_text |  |  | configuration_qwen4_exp.py
rag | part generator |  |  | configuration_rag.py
sam3_lite_text | part text_config sam3_lite_text_text_model |  |  |
  configuration_sam3_lite_text.py
shieldgemma2 | part text_config gemma3_text |  |  | modeling_gemma3.py:157
siglip | part text_config siglip_text_model |  |  | modeling_siglip.py:134
siglip2 | part text_config siglip2_text_model |  |  | modeling_siglip2.py:128
smolvlm | part text_config llama |  |  | configuration_smolvlm.py
speech-encoder-decoder vision-encoder-decoder | part decoder
step3p7 | part text_config step3p5 fixed |  |  | modular_step3p7.py
t5gemma | part decoder t5_gemma_module |  |  | configuration_t5gemma.py
t5gemma2 | part decoder t5gemma2_decoder |  |  | modeling_t5gemma2.py:95
t5gemma2_encoder | part text_config t5gemma2_text |  |  | modeling_t5gemma2.py:95
tipsv2 | part text_config tipsv2_text_model |  |  | modeling_tipsv2.py:458
video_llama_3 | part text_config qwen2 |  |  | configuration_video_llama_3.py
video_llava | part text_config llama |  |  | configuration_video_llava.py
videoprism | part text_config videoprism_text_model |  |  | configuration_videoprism.py
vision-text-dual-encoder | part text_config
voxtral | part text_config llama filled | 3072 - 30 131072 | head_dim=128; rope_theta=100000000 |
  configuration_voxtral.py
voxtral_realtime | part text_config voxtral_realtime_text filled | 3072 32 26 131072 |
  head_dim=128; rope_theta=1000000; sliding_window=8192 | configuration_voxtral_realtime.py
xclip | part text_config xclip_text_model |  |  | modeling_x_clip.py:106
`;
