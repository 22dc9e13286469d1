import { describe, expect, it } from 'vitest'
import { startFakeProvider } from '../../testing/fake-providers/fake-provider.ts'
import { createModels } from './models.ts'

describe('a server of one’s own', () => {
  const start = async (settings: object = {}) => {
    const fake = await startFakeProvider({ vendor: 'openai' })
    const custom = { baseUrl: fake.url, modelId: 'llama3', ...settings }
    const models = createModels({ settings: { custom, sandbox: 'auto' }, log: { warn: () => undefined } })
    const close = async () => {
      await models.close()
      await fake.close()
    }
    return { fake, models, close }
  }

  it('needs no key, speaks chat completions, and its address ends the sandbox', async () => {
    const { fake, models, close } = await start()
    expect(models.isSandbox()).toBe(false)
    expect(await models.generate({ alias: 'custom', prompt: 'hi' })).toMatchObject({
      provider: 'custom',
      requestedAlias: 'custom',
      modelId: 'llama3',
      costNanos: null,
    })
    expect(fake.journal[0]?.path).toBe('/v1/chat/completions')
    expect(fake.journal[0]?.headers).not.toHaveProperty('authorization')
    await close()
  })

  it('is sent the key that it wants, and named in the error when it refuses it', async () => {
    const { fake, models, close } = await start({ apiKey: 'own-key' })
    fake.reply({ status: 401 })
    const refused = models.generate({ alias: 'custom', prompt: 'hi' })
    await expect(refused).rejects.toThrow('The API key for Custom was refused (401). Check CUSTOM_API_KEY.')
    expect(fake.journal[0]?.headers.authorization).toBe('Bearer own-key')
    await close()
  })

  it('is shown by the label that settings give it, and not at all without settings', async () => {
    const { models, close } = await start({ label: 'Llama at home' })
    expect(models.describe()).toMatchObject([
      { alias: 'custom', label: 'Llama at home', configured: true, provider: 'custom', modelId: 'llama3' },
    ])
    await close()
    const without = createModels({ settings: { sandbox: 'off' }, log: { warn: () => undefined } })
    expect(without.describe()).toEqual([])
    await expect(without.generate({ alias: 'custom', prompt: 'hi' })).rejects.toMatchObject({
      code: 'model_not_configured',
      message: 'Address not configured for custom. Set CUSTOM_BASE_URL.',
    })
  })
})
