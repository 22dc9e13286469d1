import type { Chain, OwnToken, Prompt } from '@catenary/contracts'
import { type ConnectSubject, extractVariables } from '@catenary/domain'
import { useState } from 'react'
import { modelsOf } from '../chain/models-of.ts'
import { ANY_MODEL } from '../curl-command.ts'
import { WAYS } from './connect-texts.ts'

interface SubjectOptions {
  token: OwnToken | null
  chain: Chain | null
  prompt: Prompt | null
  chainLabel: string | null
}

/** A slug where a prompt is still to be chosen. */
const ANY_PROMPT = 'prompt-name'

export function useSubject({ token, chain, prompt, chainLabel }: SubjectOptions) {
  const [chosen, setChosen] = useState<{ tokenId: number; model: string } | null>(null)
  const models = modelNames({ token, chain, chainLabel })
  const model = chosen?.tokenId === token?.id ? models.find((name) => name === chosen?.model) : undefined
  return {
    subject: subjectOf({ token, prompt, model: model ?? models[0] ?? ANY_MODEL }),
    models,
    chooseModel: (model: string) => token && setChosen({ tokenId: token.id, model }),
  }
}

function modelNames({ token, chain, chainLabel }: Omit<SubjectOptions, 'prompt'>): string[] {
  if (token?.tokenType === 'best' || token?.tokenType === 'scoped') return [ANY_MODEL]
  if (token?.tokenType !== 'chain') return []
  if (!chain) return [`chain-${token.chainId}`]
  return modelsOf({ ...chain, labels: chainLabel === null ? chain.labels : [] })
}

function subjectOf({
  token,
  prompt,
  model,
}: Pick<SubjectOptions, 'token' | 'prompt'> & { model: string }): ConnectSubject {
  const way = token === null ? 'prompt' : WAYS[token.tokenType]
  switch (way) {
    case 'mcp':
    case 'folder':
      return { way }
    case 'model':
      return { way, model }
    case 'prompt':
      return {
        way,
        name: prompt?.slug ?? ANY_PROMPT,
        variables: prompt ? extractVariables(prompt.content) : [],
      }
  }
}
