import { describe, expect, it } from 'vitest'
import { createClosedParts } from '../../platform/closed-parts.ts'
import { createLog } from '../../platform/log/log.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { isQuietCopy, makeQuiet } from './quiet-copy.ts'

describe('a restored copy', () => {
  const database = useTestDatabase()

  it('is quiet until its work is resumed, which is noted once', async () => {
    const { client } = database
    const isQuiet = (resumeWork = false) => isQuietCopy(client, { resumeWork })
    expect(await isQuiet()).toBe(false)
    expect(await isQuiet(true)).toBe(false)
    await client.withoutLimit((session) => makeQuiet({ client: session, resumeWork: false }))
    expect(await isQuiet()).toBe(true)
    expect(await isQuiet(true)).toBe(false)
    expect(await isQuiet()).toBe(false)
    const { rows } = await client.pool.query('select kind, door from activity')
    expect(rows).toEqual([{ kind: 'instance.work_resumed', door: 'command line' }])
  })

  it('the parts of a quiet program reach nobody, whatever is registered', async () => {
    const log = createLog({ level: 'silent' })
    const { mail, models, outbound, serviceClient } = createClosedParts({
      settings: {
        sandbox: 'off',
        claude: { apiKey: 'k', baseUrl: 'http://127.0.0.1:9', modelId: 'm', label: undefined },
      },
      log,
      sandboxChunkDelayMs: 0,
    })
    const signal = new AbortController().signal
    expect(models.isSandbox()).toBe(true)
    models.replaceSources(models.environment)
    expect(models.isSandbox()).toBe(true)
    const [source] = models.environment
    const answer = await models.generate({ alias: source?.alias ?? '', messages: [], signal } as never)
    expect(answer.text).toContain('sandbox')
    await expect(models.listOf({} as never, 'Office')).rejects.toThrow('reaches nobody')
    await expect(outbound.fetchText({ url: 'https://example.org' })).rejects.toThrow('reaches nobody')
    await expect(outbound.fetchBytes({ url: 'https://example.org', maxBytes: 1 })).rejects.toThrow(
      'reaches nobody',
    )
    await expect(outbound.post({ url: 'https://example.org', body: '{}' })).rejects.toThrow('reaches nobody')
    const call = { url: new URL('https://example.org'), signal, maxBytes: 1 }
    await expect(serviceClient.call(call)).rejects.toThrow('reaches nobody')
    expect(mail.isSetUp).toBe(false)
    await models.close()
  })
})
