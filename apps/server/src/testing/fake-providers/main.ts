import { startFakeGoogle } from '../fake-google/fake-google.ts'
import { startFakeProvider } from './fake-provider.ts'
import type { FakeVendor } from './fake-reply.ts'

/** Starts the named vendors (default: all three) and prints one JSON line for each: `{"vendor":…,"url":…}`; `google`, when named, with its settings. */
const named = process.argv.slice(2)
const vendors: FakeVendor[] = ['anthropic', 'openai', 'gemini']
const providers = await Promise.all(
  vendors
    .filter((vendor) => named.length === 0 || named.includes(vendor))
    .map(async (vendor) => ({ vendor, provider: await startFakeProvider({ vendor }) })),
)
for (const { vendor, provider } of providers) console.log(JSON.stringify({ vendor, url: provider.url }))
const google = named.includes('google') ? await startFakeGoogle() : undefined
google?.consent('ask')
if (google !== undefined) console.log(JSON.stringify({ vendor: 'google', url: google.url, env: google.env }))

const stop = async () => {
  await Promise.all([...providers.map(({ provider }) => provider.close()), google?.close()])
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
