/** Words of the figure `own-model`. */
export const ownWords = {
  prompt: { en: 'Text to continue', zh: '要接着写的文本' },
  base: { en: 'Base, times the model’s own', zh: '底数（原值的倍数）' },
  tokens: { en: 'Tokens to write', zh: '写多少个词元' },
  strings: {
    en: {
      title: 'Your own model',
      question: 'Does your own model survive other positions?',
      caption:
        'Your model continues your text, and its files stay on your machine. Drop the folder of a small model, such as SmolLM2-135M, or load the small Llama; then buttons change its positions. Tints: how much a word surprises the model as trained.',
      drop: 'Drop a folder of a model here: its config.json, tokenizer.json and .safetensors files; or choose them. No model at hand? Load the small Llama of this chapter.',
      folder: 'Choose a folder',
      files: 'Choose files',
      shipped: 'Load the small Llama',
      example: (surprise: string, trained: string, loss: string) =>
        `The small Llama does not: with the wrong pairing its story breaks, at ${surprise} nats a token, as trained ${trained} (on the fixed text of the first figure ${loss}: its own words surprise it less).`,
      mean: (kind: string, surprise: string) => `${kind}: ${surprise} nats a token`,
      formats: 'Which models',
      families:
        'Families: Llama, Mistral, Qwen 2 and 3, SmolLM3, Phi-3, Gemma 2 and 3, OLMo 2, Granite, Cohere 2, GPT-2, GPT-NeoX, BLOOM, MPT, OPT, StableLM; also .bin of llama2.c with its tokenizer. A .gguf file brings its own: Llama, Qwen 2 and 3, Gemma 2 and 3 as F32, F16, BF16 or Q8_0, also in several files.',
      reading: 'Reading the headers…',
      family: 'Family',
      weights: 'Weights in the files',
      peak: 'Memory that it takes, at most',
      load: 'Load it',
      tooLarge: (needs: string, room: string) =>
        `The model needs ${needs} of memory, and this tab can be expected to have ${room}. Nothing was loaded.`,
      loading: (percent: string) => `Loading the weights: ${percent}%`,
      writing: 'Writing…',
      verdict: {
        trained: (surprise: string) =>
          `As trained, the story is at ${surprise} nats a token. Now choose the wrong pairing.`,
        holds: (surprise: string) => `The story holds, at ${surprise} nats a token.`,
        stammers: (surprise: string) => `The story stammers, at ${surprise} nats a token.`,
        broken: (surprise: string) => `The story breaks, at ${surprise} nats a token.`,
      },
      surprise: 'Mean surprise of the tokens written, nats',
      prompt: 'Loss on your text, nats a token',
      promptChanged: 'Loss on your text after the change',
      promptTrained: 'That loss as trained',
      empty: 'No model is loaded.',
      describe: (verdict: string, text: string) => `${verdict} The model wrote: ${text}`,
      word: 'word',
      wordSurprise: 'surprise (nats)',
      origin: 'origin',
      given: 'given',
      byModel: 'written',
    },
    zh: {
      title: '你自己的模型',
      question: '换成你自己的模型，改动位置后还能正常续写吗？',
      caption:
        '你的模型接着写你的文本，文件只留在你的电脑上。拖入一个小模型的文件夹，例如 SmolLM2-135M，或者加载小 Llama；加载之后就能改动位置。底色越浓，原模型越没料到这个词。',
      drop: '把模型的文件夹拖到这里（config.json、tokenizer.json 和 .safetensors 文件），或者直接选择。手边没有模型，就加载本站的小 Llama。',
      folder: '选择文件夹',
      files: '选择文件',
      shipped: '加载小 Llama',
      example: (surprise: string, trained: string, loss: string) =>
        `小 Llama 不能：配对弄错以后，故事写坏了，每个词元 ${surprise} nat，原样时是 ${trained}（第一幅图的固定文本上是 ${loss}；自己写的词，意外度自然更低）。`,
      mean: (kind: string, surprise: string) => `${kind}：每个词元 ${surprise} nat`,
      formats: '支持哪些模型',
      families:
        'Llama、Mistral、Qwen 2 和 3、SmolLM3、Phi-3、Gemma 2 和 3、OLMo 2、Granite、Cohere 2、GPT-2、GPT-NeoX、BLOOM、MPT、OPT、StableLM；也可以是 llama2.c 的 .bin 及其分词器。.gguf 自带分词器，支持 Llama、Qwen 2 和 3、Gemma 2 和 3 的 F32、F16、BF16 和 Q8_0，分卷也可以。',
      reading: '正在读取文件头……',
      family: '模型类型',
      weights: '权重文件',
      peak: '最多占用的内存',
      load: '加载',
      tooLarge: (needs: string, room: string) =>
        `这个模型需要 ${needs} 内存，而这个标签页预计只有 ${room} 可用。没有加载任何内容。`,
      loading: (percent: string) => `正在加载权重：${percent}%`,
      writing: '正在写……',
      verdict: {
        trained: (surprise: string) =>
          `位置原样时，故事的意外度是每个词元 ${surprise} nat。接着选“配对弄错”。`,
        holds: (surprise: string) => `故事仍然通顺：每个词元 ${surprise} nat。`,
        stammers: (surprise: string) => `故事写得磕磕绊绊：每个词元 ${surprise} nat。`,
        broken: (surprise: string) => `故事写坏了：每个词元 ${surprise} nat。`,
      },
      surprise: '写出的词元的平均意外度（nat）',
      prompt: '你的文本上的损失（nat／词元）',
      promptChanged: '改动之后，你的文本上的损失',
      promptTrained: '位置原样时，你的文本上的损失',
      empty: '还没有加载模型。',
      describe: (verdict: string, text: string) => `${verdict}模型写的是：${text}`,
      word: '词',
      wordSurprise: '意外度（nat）',
      origin: '来源',
      given: '给定',
      byModel: '模型所写',
    },
  },
};
