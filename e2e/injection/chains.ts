import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN_NAME_MAX, PROMPT_TITLE_MAX } from '@catenary/contracts'
import { type InjectionStage, inChunks, inGroups, type Planted } from './stage.ts'

/** Steps of a chain that is run. */
const STEPS = 50
const POLL_MS = 100

interface Stored {
  id: number
}

/** A chain whose steps hold payloads, and a run of it whose steps were answered with them. */
export interface PlantedChain {
  id: number
  runId: number
  planted: readonly Planted[]
}

/** Makes every payload a chain's name and description, as far as it fits. */
export async function plantChainNames({ api, planted }: InjectionStage): Promise<string[]> {
  const names = planted
    .map(({ payload }) => payload)
    .filter((payload) => payload.trim().length <= CHAIN_NAME_MAX)
  await inGroups(names, (name) => api.post('/api/chains', { name, description: name }))
  return names.map((name) => name.trim())
}

/** Makes every payload a step's title, content and system prompt, and what the model answers to it. */
export function plantChainRuns(stage: InjectionStage): Promise<PlantedChain[]> {
  return Promise.all(
    inChunks(stage.planted, STEPS).map(async (planted, index) => {
      const { id } = await stage.api.post<Stored>('/api/chains', { name: `Steps ${index}` })
      for (const [position, step] of planted.entries()) {
        const key = `run-step-${step.promptId}`
        stage.answer(key, `<div>${step.payload}</div>`)
        await stage.api.post(`/api/chains/${id}/steps`, {
          title: step.payload.trim().slice(0, PROMPT_TITLE_MAX),
          content: `${step.payload}\n$<${step.name}>\n${key}`,
          systemPrompt: step.payload,
          outputVariableName: `output_${position}`,
          model: 'claude',
          position,
        })
      }
      return { id, runId: await runChain({ stage, id }), planted }
    }),
  )
}

async function runChain({ stage, id }: { stage: InjectionStage; id: number }): Promise<number> {
  const run = await stage.api.post<Stored>(`/api/chains/${id}/execute`, { input: stage.planted[0]?.payload })
  for (;;) {
    const { status } = await stage.api.get<{ status: string }>(`/api/executions/${run.id}`)
    if (status === 'completed') return run.id
    if (status === 'failed' || status === 'cancelled') throw new Error(`The run of chain ${id} ${status}.`)
    await sleep(POLL_MS)
  }
}
