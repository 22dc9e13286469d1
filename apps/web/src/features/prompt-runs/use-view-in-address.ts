import type { ModelAlias, Prompt } from '@catenary/contracts'
import { type AddressChange, idsIn, useAddress } from '../../lib/address.ts'
import { type KnownModel, useDefaultModel, useModels } from '../model-settings/models.ts'
import { modelOf } from './targets/models.ts'
import { TARGETS_MAX, textsIn } from './targets/targets.ts'
import { COMPARED_MAX, type ExecuteTab, type ExecuteView } from './use-execute.ts'

const TABS: readonly ExecuteTab[] = ['prompt', 'response', 'history']
const RATED = ['up', 'down'] as const

/** `?model=claude&with=openai,gemini&texts=copy,3&tab=response&history=open&rated=up&compare=12,15`; what is as usual stays out. */
export function useViewInAddress({
  version,
  model: own,
}: Pick<Prompt, 'version' | 'model'>): [ExecuteView, (change: Partial<ExecuteView>) => void] {
  const [params, changeAddress] = useAddress()
  const models = useModels()
  const texts = textsIn({ list: params.get('texts') ?? '', version })
  const view: ExecuteView = {
    model: modelOf({ name: params.get('model') ?? own ?? null, own: useDefaultModel(), models }),
    otherModels: modelsIn({ list: params.get('with') ?? '', models }).slice(
      0,
      Math.floor(TARGETS_MAX / texts.length) - 1,
    ),
    texts,
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'prompt',
    isHistoryOpen: params.get('history') === 'open',
    compared: runsIn(params.get('compare')),
    rated: RATED.find((rated) => rated === params.get('rated')) ?? null,
  }
  return [view, (change) => changeAddress(inAddress(change), { replace: true })]
}

function inAddress(change: Partial<ExecuteView>): AddressChange {
  const { model, otherModels, texts, tab, isHistoryOpen, compared, rated } = change
  const history = isHistoryOpen ? 'open' : ''
  return {
    model,
    with: otherModels?.join(','),
    texts: texts && (texts.join(',') === 'copy' ? '' : texts.join(',')),
    tab: tab === 'prompt' ? '' : tab,
    history: isHistoryOpen === undefined ? undefined : history,
    compare: compared?.join(','),
    rated,
  }
}

function modelsIn({ list, models }: { list: string; models: readonly KnownModel[] }): ModelAlias[] {
  return list.split(',').filter((name) => models.some(({ alias }) => alias === name))
}

function runsIn(list: string | null): number[] {
  const ids = [...new Set(idsIn(list))]
  return ids.length < 2 ? [] : ids.slice(0, COMPARED_MAX)
}
