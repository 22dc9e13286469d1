import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { QueueProbesService } from './queue-probes.service.ts'

/** The job that the check of the queue waits for; the result sends one. */
export function queueProbeJobs({ jobs, probes }: { jobs: Jobs; probes: QueueProbesService }) {
  const queue = jobs.define<{ id: string }>({ name: 'probe', retryLimit: 0, expireSeconds: 60 })
  queue.work({ handle: ({ data }) => probes.answer(data.id) })
  return {
    send: async (id: string): Promise<void> => {
      await queue.send({ data: { id } })
    },
  }
}
