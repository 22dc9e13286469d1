import { answer, type ReaderRequest } from './reader-tasks.ts'

addEventListener('message', ({ data }: MessageEvent<ReaderRequest>) => {
  void answer(data, (reply) => postMessage(reply))
})
