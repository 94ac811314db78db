/** Words of the row that trains live. */
export const liveWords = {
  en: {
    train: (count: number) =>
      count === 1 ? '▶\u2002Train 1 model here' : `▶\u2002Train ${count} models here`,
    pause: 'Pause',
    resume: 'Resume',
    cancel: 'Cancel',
    idle: 'Runs in your browser; nothing leaves it.',
    done: (done: number, all: number) => `${done} of ${all} trained here`,
    waiting: 'waiting for a free core',
    evaluating: 'measuring at every length',
    progress: (step: string, steps: string, loss: string, seconds: number) =>
      `step ${step} of ${steps} · loss ${loss}${seconds > 0 ? ` · ${seconds} s left` : ''}`,
    failed: (reason: string) => `stopped: ${reason}`,
  },
  zh: {
    train: (count: number) => `▶\u2002在本机训练 ${count} 个模型`,
    pause: '暂停',
    resume: '继续',
    cancel: '取消',
    idle: '在你的浏览器里训练，数据不离开本机。',
    done: (done: number, all: number) => `已在本机训练完 ${done} / ${all} 个`,
    waiting: '等待空闲的核',
    evaluating: '正在各个长度上测试',
    progress: (step: string, steps: string, loss: string, seconds: number) =>
      `第 ${step} 步，共 ${steps} 步 · 损失 ${loss}${seconds > 0 ? ` · 还需 ${seconds} 秒` : ''}`,
    failed: (reason: string) => `已停止：${reason}`,
  },
};
