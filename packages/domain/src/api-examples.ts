export interface ApiExample {
  id: string
  client: string
  label: string
  language: 'Shell' | 'TypeScript' | 'Python' | 'TOML' | 'JSON'
  code: string
  hint?: string
  idempotency?: string
}

interface ApiExampleOptions {
  address: string
  /** `chain-7`; for a Best Chain token any name. */
  model: string
}

const QUESTION = 'Hello'
const KEY_IN_SHELL = '-H "Idempotency-Key: order-4711"'
const KEY_IN_OPTIONS = "{ headers: { 'Idempotency-Key': 'order-4711' } }"
const KEY_IN_PYTHON = 'extra_headers={"Idempotency-Key": "order-4711"}'

/** How a program begins that calls the API as OpenAI's. */
export const openAiIn = (address: string) => ({
  typescript: `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: process.env.CATENARY_TOKEN,
})`,
  python: `import os
from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key=os.environ["CATENARY_TOKEN"])`,
})

/** A JSON call by its token. */
export const curlCall = ({ url, body }: { url: string; body: string }) => `curl ${url} \\
  -H "Authorization: Bearer $CATENARY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`

export function apiExamples(options: ApiExampleOptions): ApiExample[] {
  const of = [inShell, byOpenAi, byAnthropic, byAiSdk, byLangChain, byCodingAgents, byOpenWebUi]
  return of.flatMap((examples) => examples(options))
}

function inShell({ address, model }: ApiExampleOptions): ApiExample[] {
  const body = JSON.stringify({ model, max_tokens: 1000, messages: [{ role: 'user', content: QUESTION }] })
  return [
    {
      id: 'curl-messages',
      client: 'curl',
      label: 'Claude style',
      language: 'Shell',
      code: curlCall({ url: `${address}/v1/messages`, body }),
      idempotency: KEY_IN_SHELL,
    },
    {
      id: 'curl-chat',
      client: 'curl',
      label: 'OpenAI style',
      language: 'Shell',
      code: curlCall({ url: `${address}/v1/chat/completions`, body }),
      idempotency: KEY_IN_SHELL,
    },
  ]
}

function byOpenAi({ address, model }: ApiExampleOptions): ApiExample[] {
  const { typescript, python } = openAiIn(address)
  return [
    {
      id: 'openai-typescript',
      client: 'OpenAI SDK',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `${typescript}

const completion = await client.chat.completions.create({
  model: '${model}',
  max_tokens: 1000,
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(completion.choices[0]?.message.content)`,
      idempotency: `create(…, ${KEY_IN_OPTIONS})`,
    },
    {
      id: 'openai-python',
      client: 'OpenAI SDK',
      label: 'Python',
      language: 'Python',
      code: `${python}

completion = client.chat.completions.create(
    model="${model}",
    max_tokens=1000,
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(completion.choices[0].message.content)`,
      idempotency: `create(…, ${KEY_IN_PYTHON})`,
    },
  ]
}

function byAnthropic({ address, model }: ApiExampleOptions): ApiExample[] {
  return [
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
      idempotency: `stream(…, ${KEY_IN_OPTIONS})`,
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
      idempotency: `create(…, ${KEY_IN_PYTHON})`,
    },
  ]
}

function byAiSdk({ address, model }: ApiExampleOptions): ApiExample[] {
  return [
    {
      id: 'ai-sdk',
      client: 'AI SDK',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

const catenary = createOpenAI({
  baseURL: '${address}/v1',
  apiKey: process.env.CATENARY_TOKEN,
})

const { text } = await generateText({
  model: catenary('${model}'),
  prompt: '${QUESTION}',
})
console.log(text)`,
      idempotency: `generateText({ …, headers: { 'Idempotency-Key': 'order-4711' } })`,
    },
  ]
}

function byLangChain({ address, model }: ApiExampleOptions): ApiExample[] {
  return [
    {
      id: 'langchain-typescript',
      client: 'LangChain',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `import { ChatOpenAI } from '@langchain/openai'

const chat = new ChatOpenAI({
  model: '${model}',
  apiKey: process.env.CATENARY_TOKEN,
  configuration: { baseURL: '${address}/v1' },
})

const answer = await chat.invoke('${QUESTION}')
console.log(answer.text)`,
      idempotency: `invoke(…, { options: ${KEY_IN_OPTIONS} })`,
    },
    {
      id: 'langchain-python',
      client: 'LangChain',
      label: 'Python',
      language: 'Python',
      code: `import os
from langchain_openai import ChatOpenAI

chat = ChatOpenAI(
    model="${model}",
    api_key=os.environ["CATENARY_TOKEN"],
    base_url="${address}/v1",
)

print(chat.invoke("${QUESTION}").content)`,
      idempotency: `invoke(…, ${KEY_IN_PYTHON})`,
    },
  ]
}

function byCodingAgents({ address, model }: ApiExampleOptions): ApiExample[] {
  const claudeModel = model.startsWith('chain-') ? `claude-${model}` : model
  return [
    {
      id: 'claude-code',
      client: 'Claude Code',
      label: 'Terminal',
      language: 'Shell',
      code: `export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=$CATENARY_TOKEN
claude --model ${claudeModel}`,
      hint: 'It uses the chain as its model.',
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
wire_api = "responses"
# If the connection broke, its own retry would run the chain again.
stream_max_retries = 0`,
      hint: 'It uses the chain as its model, and reads CATENARY_TOKEN whenever it starts.',
    },
    {
      id: 'opencode',
      client: 'OpenCode',
      label: 'opencode.json',
      language: 'JSON',
      code: JSON.stringify(
        {
          $schema: 'https://opencode.ai/config.json',
          provider: {
            catenary: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Catenary',
              options: { baseURL: `${address}/v1`, apiKey: '{env:CATENARY_TOKEN}' },
              models: { [model]: { name: model } },
            },
          },
          model: `catenary/${model}`,
        },
        null,
        2,
      ),
      hint: 'In ~/.config/opencode/opencode.json. It uses the chain as its model.',
    },
  ]
}

function byOpenWebUi({ address }: ApiExampleOptions): ApiExample[] {
  return [
    {
      id: 'open-webui',
      client: 'Open WebUI',
      label: 'Terminal',
      language: 'Shell',
      code: `export OPENAI_API_BASE_URL=${address}/v1
export OPENAI_API_KEY=$CATENARY_TOKEN
open-webui serve`,
      hint: `In an Open WebUI that is already running: Admin Settings, Connections, with ${address}/v1 and the token.`,
    },
  ]
}
