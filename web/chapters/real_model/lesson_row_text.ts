/** Words of the row that trains a model in the reader's browser. */
export const lessonRowWords = {
  en: {
    train: (name: string) => `▶\u2002Train here: ${name}`,
    training: 'Training',
    stop: 'Stop',
    idle: 'Runs in your browser; nothing leaves it.',
    progress: (step: number, steps: number) => `step ${step} of ${steps}`,
    stopped: (step: number, steps: number) => `stopped after step ${step} of ${steps}`,
    done: (steps: number, seconds: number) => `${steps} steps in ${seconds} s`,
    failed: (reason: string) => `stopped: ${reason}`,
  },
  zh: {
    train: (name: string) => `▶\u2002在本机训练：${name}`,
    training: '训练',
    stop: '停止',
    idle: '在你的浏览器里训练，数据不离开本机。',
    progress: (step: number, steps: number) => `第 ${step} 步，共 ${steps} 步`,
    stopped: (step: number, steps: number) => `停在第 ${step} 步，共 ${steps} 步`,
    done: (steps: number, seconds: number) => `${steps} 步用了 ${seconds} 秒`,
    failed: (reason: string) => `已停止：${reason}`,
  },
};
