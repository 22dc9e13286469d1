import { readFileSync } from 'node:fs'

/** How readily the kernel ends this process where memory runs out. */
export default (_input: string): number => Number(readFileSync('/proc/self/oom_score_adj', 'utf8'))
