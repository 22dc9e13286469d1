import { CHAIN_NAME_MAX, isFound, type ModelAlias, type Prompt } from '@catenary/contracts'
import { cutText, outputNameFor } from '@catenary/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SearchPicker } from '../../components/forms/search-picker.tsx'
import { Field } from '../../components/ui/field.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { allChainsQuery, chainQuery, useCreateChain, useCreateStep } from './chains.queries.ts'

const NEW = 'new'

export interface UseInChainDialogProps {
  prompt: Pick<Prompt, 'id' | 'title' | 'content'>
  model: ModelAlias
  onShowChain: (id: number) => void
  onClose: () => void
}

export default function UseInChainDialog({ prompt, model, onShowChain, onClose }: UseInChainDialogProps) {
  const queryClient = useQueryClient()
  const { data: chains = [] } = useQuery(allChainsQuery)
  const [choice, setChoice] = useState(NEW)
  const [state, setState] = useState<{ isPending: boolean; error: string | null }>({
    isPending: false,
    error: null,
  })
  const { mutateAsync: createChain } = useCreateChain()
  const { mutateAsync: createStep } = useCreateStep()
  const changeable = chains.filter(({ canEdit }) => canEdit)
  const newName = cutText(prompt.title, CHAIN_NAME_MAX)

  const addTo = async (chainId: number) => {
    const { name, steps } = await queryClient.fetchQuery(chainQuery(chainId))
    const taken = steps.map(({ outputVariableName }) => outputVariableName)
    const { id: promptId, title, content } = prompt
    const position = Math.max(-1, ...steps.map(({ position }) => position)) + 1
    const outputVariableName = outputNameFor({ title, taken })
    await createStep({ chainId, body: { promptId, title, content, model, position, outputVariableName } })
    toast({
      title: 'Step added',
      description: `“${title}” is now step ${steps.length + 1} of “${name}”.`,
      action: { label: 'Open the chain', onPress: () => onShowChain(chainId) },
    })
    onClose()
  }
  const submit = async () => {
    setState({ isPending: true, error: null })
    try {
      if (choice !== NEW) return await addTo(Number(choice))
      const { id } = await createChain({ name: newName })
      // If its step fails, it is not created again.
      setChoice(String(id))
      await addTo(id)
    } catch (error) {
      setState({ isPending: false, error: `Failed to add step: ${errorReason(error)}` })
    }
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Use in a chain"
      description={`“${prompt.title}” becomes a step. Each run uses the prompt’s text at that time.`}
      submitLabel="Add step"
      pending={state.isPending}
      error={state.error}
      className="max-w-[440px]"
      onSubmit={submit}
    >
      <Field label="Chain">
        <SearchPicker
          label="Chains"
          placeholder="Search chains"
          nothingFound="No chain that you can edit has that name"
          value={choice}
          find={(search) => [
            ...(search === '' ? [NEW] : []),
            ...changeable.filter(({ name }) => isFound(name, search)).map(({ id }) => String(id)),
          ]}
          describe={(value) => {
            const chain = changeable.find(({ id }) => String(id) === value)
            if (!chain) return { title: `A new chain, “${newName}”` }
            const count = chain.steps.length
            return { title: chain.name, hint: `${count} ${count === 1 ? 'step' : 'steps'}` }
          }}
          onChange={setChoice}
        />
      </Field>
    </FormDialog>
  )
}
