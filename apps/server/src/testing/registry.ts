import type { ManagedModel, ModelProvider } from '@catenary/contracts'
import { expect } from 'vitest'
import { startChainLibrary } from './chain-library.ts'
import type { TestUser } from './harness.ts'
import { serveHttp } from './local-server.ts'

export const PROVIDERS = '/api/admin/providers'
export const MODELS = '/api/admin/models'

export type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type RegistryLibrary = Awaited<ReturnType<typeof startRegistryLibrary>>

/** A library whose admin adds providers and models: on its fake provider, or on a server that lists models. */
export async function startRegistryLibrary(...options: Parameters<typeof startChainLibrary>) {
  const library = await startChainLibrary(...options)
  const usual = { status: 200, body: JSON.stringify({ data: [{ id: 'b-model' }, { id: 'a-model' }] }) }
  let answer: { status: number; body: string; headers?: Record<string, string> } = usual
  const asked: { path: string; authorization: string | undefined }[] = []
  const server = await serveHttp((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body)
  })
  const send = (method: Method, url: string, body?: object, as: TestUser | undefined = library.admin) =>
    library.request({ method, url, body, as })
  const need = async <T>(method: Method, url: string, body?: object): Promise<T> => {
    const reply = await send(method, url, body)
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body as T
  }
  const promptOf = new Map<TestUser, number>()
  for (const person of [library.owner, library.other, library.admin]) {
    promptOf.set(person, (await library.createPrompt(person, { content: 'Hello' })).id)
  }
  let count = 0
  const addProvider = (fields: object = {}) => {
    count += 1
    const provider = { name: `Office ${count}`, kind: 'compatible', baseUrl: library.fake.url }
    return need<ModelProvider>('POST', PROVIDERS, { ...provider, allowsPrivateAddress: true, ...fields })
  }
  return {
    ...library,
    send,
    need,
    addProvider,
    read: async <T>(url: string, as: TestUser | undefined = library.admin): Promise<T> =>
      (await library.request({ url, as })).body as T,
    addModel: async (fields: object = {}, provider?: Pick<ModelProvider, 'id'>) => {
      const { id: providerId } = provider ?? (await addProvider())
      const model = { alias: `llama-${count}`, label: `Llama ${count}`, providerId, modelId: 'llama-3.3-70b' }
      return need<ManagedModel>('POST', MODELS, { ...model, ...fields })
    },
    run: (model: string, as: TestUser = library.owner) =>
      send('POST', '/api/execute-prompt', { promptId: promptOf.get(as), model }, as),
    /** Where models are listed, how that is answered, and what was asked there. */
    address: `http://127.0.0.1:${server.port}/v1`,
    answerLists: (next: typeof answer) => {
      answer = next
    },
    asked,
    resetProviders: () => {
      library.fake.reset()
      answer = usual
      asked.length = 0
    },
    close: async () => {
      await library.close()
      await server.close()
    },
  }
}
