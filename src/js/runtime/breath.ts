/** Ends after the thread has handled its messages and events. */
export async function breath(): Promise<void> {
  // A new channel each time: Node goes on with a channel that has another message by then.
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(undefined);
  });
  port1.close();
}
