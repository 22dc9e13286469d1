/** Work that takes what it is told to. */
export default function work(asked: { takes: Takes; text: string }) {
  switch (asked.takes) {
    case 'nothing':
      return asked.text.length
    case 'time':
      for (;;);
    case 'waiting':
      // As on a machine that is busy with other work.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
      return asked.text.length
    case 'built-in':
      // The engine's own search, which nothing interrupts.
      return 'a'.repeat(4_000_000).includes(`${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`)
    case 'memory':
      for (const kept: object[] = []; ; ) kept.push(Array.from({ length: 10_000 }, () => ({})))
    case 'one piece':
      for (const kept = new Map<number, number>(); ; ) kept.set(kept.size, 0)
    case 'depth': {
      const dive = (): number => 1 + dive()
      return dive()
    }
    case 'fault':
      throw new TypeError('a fault of ours')
  }
}

export type Takes = 'nothing' | 'time' | 'waiting' | 'built-in' | 'memory' | 'one piece' | 'depth' | 'fault'
