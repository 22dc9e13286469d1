import { type BestChainSelection, isFound } from '@catenary/contracts'
import { SearchPicker } from '../../../components/forms/search-picker.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { EXAMPLES } from './selection-texts.ts'
import { useCorrectSelection } from './selections.queries.ts'

const UNSAID = ''

export function Correction({ selection }: { selection: BestChainSelection }) {
  const { id, scores, chainId, correctedTo } = selection
  const { mutate } = useCorrectSelection()
  const others = scores.filter((score) => score.chainId !== (correctedTo?.chainId ?? chainId))
  const nameOf = (value: string) => scores.find(({ chainId }) => String(chainId) === value)?.chainName
  const correct = (chosen: string) =>
    mutate(
      { id, chainId: Number(chosen) },
      {
        onSuccess: ({ example }) => toast({ title: 'Selection corrected', description: EXAMPLES[example] }),
        onError: (error) =>
          toast({
            title: 'Error correcting selection',
            description: errorMessage(error),
            variant: 'destructive',
          }),
      },
    )
  return (
    <Field label="Should have been …" className="@2xl:max-w-xs">
      <SearchPicker
        label="Chains"
        placeholder="Search chains"
        nothingFound="No chain has that name."
        value={correctedTo ? String(correctedTo.chainId) : UNSAID}
        find={(search) =>
          others.filter(({ chainName }) => isFound(chainName, search)).map(({ chainId }) => String(chainId))
        }
        describe={(value) => ({
          title: value === UNSAID ? 'Another chain' : (nameOf(value) ?? correctedTo?.chainName ?? ''),
        })}
        onChange={correct}
      />
    </Field>
  )
}
