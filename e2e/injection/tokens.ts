import { TOKEN_NAME_MAX } from '@catenary/contracts'
import { type InjectionStage, inGroups } from './stage.ts'

interface Created {
  id: number
  token: string
}

export interface PlantedTokens {
  chainId: number
  /** Of the tokens of that chain. */
  names: readonly string[]
}

/** Makes every payload that fits a token's name, and every payload a request with a Best Chain token. */
export async function plantTokens({ api, server, planted }: InjectionStage): Promise<PlantedTokens> {
  const payloads = planted.map(({ payload }) => payload)
  const names = payloads.filter((payload) => payload.trim().length <= TOKEN_NAME_MAX)
  const { id: chainId } = await api.post<{ id: number }>('/api/chains', { name: 'Called' })
  await api.post(`/api/chains/${chainId}/steps`, { outputVariableName: 'answer', content: '{{input}}' })
  await inGroups(names, (name) => api.post('/api/tokens', { name, chainId }))
  const { token } = await api.post<Created>('/api/best-tokens', {
    name: names[0],
    includedChainIds: [chainId],
  })
  await inGroups(payloads, async (content) => {
    const reply = await fetch(new URL('/v1/chat/completions', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'best-chain', messages: [{ role: 'user', content }] }),
    })
    // What the model makes of it does not matter here: the request is kept either way.
    await reply.text()
  })
  return { chainId, names }
}
