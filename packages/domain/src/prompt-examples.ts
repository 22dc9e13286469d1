import { type ApiExample, curlCall, openAiIn } from './api-examples.ts'

interface PromptExampleOptions {
  address: string
  name: string
  variables: readonly string[]
}

const VARIABLES_SHOWN = 3
const IDENTIFIER = /^[A-Za-z_]\w*$/

export function promptExamples({ address, name, variables }: PromptExampleOptions): ApiExample[] {
  const shown = variables.filter((variable) => IDENTIFIER.test(variable)).slice(0, VARIABLES_SHOWN)
  const object = shown.map((variable) => `${variable}: '…'`).join(', ')
  const dict = shown.map((variable) => `"${variable}": "…"`).join(', ')
  const compiled = shown.length === 0 ? '' : `{ ${object} }`
  const keywords = shown.map((variable) => `${variable}="…"`).join(', ')
  const { typescript, python } = openAiIn(address)
  const json = JSON.stringify({
    prompt: { id: name, variables: Object.fromEntries(shown.map((key) => [key, '…'])) },
  })
  return [
    {
      id: 'langfuse-typescript',
      client: 'Langfuse',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `import { LangfuseClient } from '@langfuse/client'

const langfuse = new LangfuseClient({
  baseUrl: '${address}',
  publicKey: 'catenary',
  secretKey: process.env.CATENARY_TOKEN,
})

const prompt = await langfuse.prompt.get('${name}')
console.log(prompt.compile(${compiled}))`,
    },
    {
      id: 'langfuse-python',
      client: 'Langfuse',
      label: 'Python',
      language: 'Python',
      code: `import os
from langfuse import Langfuse

langfuse = Langfuse(
    host="${address}",
    public_key="catenary",
    secret_key=os.environ["CATENARY_TOKEN"],
    tracing_enabled=False,
)

prompt = langfuse.get_prompt("${name}")
print(prompt.compile(${keywords}))`,
    },
    {
      id: 'fetch-curl',
      client: 'curl',
      label: 'Fetch',
      language: 'Shell',
      code: `curl -u "catenary:$CATENARY_TOKEN" \\
  ${address}/api/public/v2/prompts/${name}`,
    },
    {
      id: 'run-curl',
      client: 'curl',
      label: 'Run',
      language: 'Shell',
      code: curlCall({ url: `${address}/v1/responses`, body: json }),
    },
    {
      id: 'run-typescript',
      client: 'OpenAI SDK',
      label: 'TypeScript',
      language: 'TypeScript',
      code: `${typescript}

const response = await client.responses.create({
  prompt: { id: '${name}'${shown.length === 0 ? '' : `, variables: { ${object} }`} },
})
console.log(response.output_text)`,
    },
    {
      id: 'run-python',
      client: 'OpenAI SDK',
      label: 'Python',
      language: 'Python',
      code: `${python}

response = client.responses.create(
    prompt={"id": "${name}"${shown.length === 0 ? '' : `, "variables": {${dict}}`}},
)
print(response.output_text)`,
    },
  ]
}
