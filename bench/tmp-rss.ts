import { openBenchDatabase } from './lib/library.ts'
import { createLog } from '../apps/server/src/platform/log/log.ts'
const rss = () => { (globalThis as any).gc?.(); return process.memoryUsage.rss() / 1e6 }
const b = await openBenchDatabase('embedded')
const log = createLog({ level: 'silent' })
const m = rss(); const t = performance.now()
const { createJobs } = await import('../apps/server/src/platform/jobs/jobs.ts')
const t1 = performance.now()
const jobs = createJobs({ database: b.database, log })
jobs.queue('a').work({ handle: async () => {} })
await jobs.start({ work: true })
console.log('import', (t1 - t).toFixed(0), 'start', (performance.now() - t1).toFixed(0), 'rss +', (rss() - m).toFixed(1))
process.exit(0)
