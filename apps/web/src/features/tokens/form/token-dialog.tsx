import { type CreatedOwnToken, MCP_TOKEN_TEXTS, type OwnTokenDetails, TOKEN_TEXTS } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { DraftFormDialog } from '../../../components/forms/draft-form-dialog.tsx'
import { useDraftForm } from '../../../components/forms/use-draft-form.ts'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useSuggestedName } from '../../../lib/suggested-name.ts'
import { toast } from '../../../lib/toast.ts'
import { allChainsQuery } from '../../chains/chains.queries.ts'
import { FillsField } from '../../fills/fills-field.tsx'
import { KeptSendsField } from '../../fills/kept-sends-field.tsx'
import { KIND_TEXTS, TOKEN_KINDS } from '../token-texts.ts'
import { useCreateToken, useUpdateToken } from '../tokens.queries.ts'
import { LimitFields } from './limit-fields.tsx'
import { ReachFields } from './reach-fields.tsx'
import {
  askedChains,
  changedScopes,
  filledBy,
  formOf,
  isAllAtFirst,
  isIncomplete,
  isReaching,
  newForm,
  scopesOfForm,
  settingsOf,
  type TokenForm,
  type TokenFormInput,
  type TokenStart,
  tokenForm,
  tokenInput,
} from './token-form.ts'

/** Only who created a token edits it, so it has no revision. */
type StoredToken = OwnTokenDetails & { revision?: never }

export interface TokenDialogProps {
  /** Null: a new one. */
  token: OwnTokenDetails | null
  start: TokenStart
  onCreated: (created: CreatedOwnToken) => void
  onClose: () => void
}

const CHOICES = TOKEN_KINDS.map((kind) => ({ value: kind, label: KIND_TEXTS[kind].does }))

/** The one form of every token: its first choice says what it may do, and the rest follows from that. */
export default function TokenDialog({ token, start, ...on }: TokenDialogProps) {
  const { form, values, choice, chains, dialog } = useTokenForm({ token, start, ...on })
  const { kind } = values
  const noun = kind === 'best' ? 'Best Chain API Token' : 'Token'
  return (
    <DraftFormDialog
      title={token ? `Edit ${noun}` : `Create ${noun}`}
      description={token ? `${KIND_TEXTS[kind].does}. ${KIND_TEXTS[kind].purpose}` : undefined}
      submitLabel={token ? 'Save Changes' : 'Create Token'}
      pendingLabel={token ? 'Saving...' : 'Creating...'}
      {...dialog}
    >
      <Field label="Token Name" error={form.formState.errors.name?.message}>
        <Input autoComplete="off" placeholder={TOKEN_TEXTS.namePlaceholder} {...form.register('name')} />
      </Field>
      {!token && (
        <Controller
          control={form.control}
          name="kind"
          render={({ field: { value, onChange, onBlur } }) => (
            <Field label="What may it do?" hint={KIND_TEXTS[value].purpose}>
              <ChoiceSelect
                choices={CHOICES}
                value={value}
                onBlur={onBlur}
                onChange={(next) => {
                  form.setValue('allChains', isAllAtFirst(next))
                  onChange(next)
                }}
              />
            </Field>
          )}
        />
      )}
      <ReachFields form={form} values={values} chainId={choice.chainId} token={token} start={start} />
      {(kind === 'mcp' || kind === 'scoped') && !isReaching(choice) && (
        <p className="text-sm text-warn">{MCP_TOKEN_TEXTS.chooseSome}</p>
      )}
      <Controller
        control={form.control}
        name="fills"
        render={({ field: { value, onChange } }) => (
          <FillsField reach={filledBy(choice)} value={value} onChange={onChange} />
        )}
      />
      <Controller
        control={form.control}
        name="sends"
        render={({ field: { value, onChange } }) => (
          <KeptSendsField
            chainIds={askedChains(choice)}
            value={value}
            onChange={onChange}
            chainName={(id) => chains?.find((chain) => chain.id === id)?.name}
          />
        )}
      />
      <LimitFields form={form} values={values} />
    </DraftFormDialog>
  )
}

function useTokenForm({ token, start, onCreated, onClose }: TokenDialogProps) {
  const { user } = useSession()
  const suggested = useSuggestedName()
  const { mutateAsync: create } = useCreateToken()
  const { mutateAsync: update } = useUpdateToken()
  const { data: chains } = useQuery(allChainsQuery)
  // Unless another is chosen, the first one that one may give away.
  const firstChain = chains?.find(({ canEdit }) => canEdit)?.id ?? null
  const choiceOf = <Form extends Pick<TokenForm, 'chainId'>>(form: Form) => ({
    ...form,
    chainId: form.chainId ?? firstChain,
  })
  const state = useDraftForm<TokenFormInput, TokenForm, StoredToken>({
    key: `token.${user?.id}.${token?.id ?? `new.${start.chainId ?? start.kind}`}`,
    noun: 'token',
    schema: tokenForm,
    input: tokenInput,
    initial: token,
    // A secret stays in the form.
    draftOf: (values) => ({ ...values, signatureSecret: '' }),
    formOf: (stored) => (stored ? formOf(stored) : newForm({ ...start, name: start.name ?? suggested })),
    async save(form) {
      const choice = choiceOf(form)
      if (token) {
        const scopes = changedScopes(token, choice)
        await update({ id: token.id, body: { ...settingsOf(form), ...(scopes && { scopes }) } })
        toast({ title: TOKEN_TEXTS.updated, description: `“${form.name}” was saved.` })
        return
      }
      const ofBest = form.kind === 'best' ? { tokenType: form.kind } : {}
      onCreated(await create({ ...settingsOf(form), ...ofBest, scopes: scopesOfForm(choice) }))
      toast({ title: TOKEN_TEXTS.created, description: `“${form.name}” works from now on.` })
    },
    onFailure(error) {
      const title = token ? TOKEN_TEXTS.errorUpdating : TOKEN_TEXTS.errorCreating
      const description = errorMessage(error, TOKEN_TEXTS.errorCreatingBody)
      toast({ title, description, variant: 'destructive' })
    },
    onInvalid({ name }) {
      if (!name) return
      const description = name.message ?? TOKEN_TEXTS.invalidNameBody
      toast({ title: TOKEN_TEXTS.invalidName, description, variant: 'destructive' })
    },
    onClose,
  })
  const choice = choiceOf(state.values)
  return { ...state, choice, chains, dialog: { ...state.dialog, submitDisabled: isIncomplete(choice) } }
}
