export interface ApiExample {
  id: string
  /** Groups the examples of one client. */
  client: string
  /** Tells those of one client apart. */
  label: string
  language: 'Shell' | 'TypeScript' | 'Python' | 'TOML'
  code: string
}

interface ApiExampleOptions {
  /** Of this server, without a path. */
  address: string
  /** `chain-7`; for a Best Chain token any name. */
  model: string
}

const QUESTION = 'Hello'

/** How programs call a chain, ready to be copied; each reads the token's value from CATENARY_TOKEN. */
export function apiExamples({ address, model }: ApiExampleOptions): ApiExample[] {
  const body = JSON.stringify({ model, max_tokens: 1000, messages: [{ role: 'user', content: QUESTION }] })
  const curl = (path: string) =>
    `curl ${address}${path} \\
  -H "Authorization: Bearer $CATENARY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`
  const claudeModel = model.startsWith('chain-') ? `claude-${model}` : model
  return [
    {
      id: 'curl-messages',
      client: 'curl',
      label: 'Claude style',
      language: 'Shell',
      code: curl('/v1/messages'),
    },
    {
      id: 'curl-chat',
      client: 'curl',
      label: 'OpenAI style',
      language: 'Shell',
      code: curl('/v1/chat/completions'),
    },
    {
      id: 'openai-typescript',
      client: 'OpenAI SDK',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: process.env.CATENARY_TOKEN,
})

const completion = await client.chat.completions.create({
  model: '${model}',
  max_tokens: 1000,
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(completion.choices[0]?.message.content)`,
    },
    {
      id: 'openai-python',
      client: 'OpenAI SDK',
      label: 'Python',
      language: 'Python',
      code: `import os
from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key=os.environ["CATENARY_TOKEN"])

completion = client.chat.completions.create(
    model="${model}",
    max_tokens=1000,
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(completion.choices[0].message.content)`,
    },
    {
      id: 'anthropic-typescript',
      client: 'Anthropic SDK',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${address}',
  authToken: process.env.CATENARY_TOKEN,
})

const stream = client.messages.stream({
  model: '${model}',
  max_tokens: 1000,
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
stream.on('text', text => process.stdout.write(text))
await stream.finalMessage()`,
    },
    {
      id: 'anthropic-python',
      client: 'Anthropic SDK',
      label: 'Python',
      language: 'Python',
      code: `import os
from anthropic import Anthropic

client = Anthropic(base_url="${address}", auth_token=os.environ["CATENARY_TOKEN"])

message = client.messages.create(
    model="${model}",
    max_tokens=1000,
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(message.content[0].text)`,
    },
    {
      id: 'claude-code',
      client: 'Claude Code',
      label: 'Terminal',
      language: 'Shell',
      code: `export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=$CATENARY_TOKEN
claude --model ${claudeModel}`,
    },
    {
      id: 'codex',
      client: 'Codex',
      label: 'config.toml',
      language: 'TOML',
      code: `# ~/.codex/config.toml
model = "${model}"
model_provider = "catenary"

[model_providers.catenary]
name = "Catenary"
base_url = "${address}/v1"
env_key = "CATENARY_TOKEN"
wire_api = "responses"`,
    },
  ]
}
