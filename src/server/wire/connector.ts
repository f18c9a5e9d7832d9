/** A connector: its name, its manifest as text, and a version that changes are based on. */
import { z } from 'zod'

/** Also the name of a folder, so without characters that are special in a file system or a URL. */
export const connectorName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, `-` and `_`, at most 63, a letter or digit first')
  .describe('The name of the connector and of its folder.')

export const version = z.string().describe('A hash of the text: the same text always has the same version.')

const changedAt = z.iso.datetime().describe('When the file was last written.')

const connectorSummary = z
  .object({
    name: connectorName,
    version,
    changedAt,
    baseUrl: z.string().nullable().describe('The base URL of its first stream; null where it is unknown.'),
    isBaseTemplate: z.boolean().describe('Whether inputs decide the base URL.'),
    streams: z.array(z.string()),
    errors: z.number().int().describe('The number of errors.'),
  })
  .meta({ id: 'ConnectorSummary' })

const skippedFolder = z
  .object({ folder: z.string(), reason: z.string() })
  .meta({ id: 'SkippedFolder' })
  .describe('A folder that cannot be opened as a connector.')

export const connectorListing = z
  .object({
    home: z.string().describe('TURNLEAF_HOME: the folder on the machine of the server that has them.'),
    connectors: z.array(connectorSummary),
    skipped: z.array(skippedFolder),
  })
  .meta({ id: 'ConnectorListing' })

export const connector = z
  .object({
    name: connectorName,
    text: z.string().describe('manifest.yaml as it is on disk.'),
    version,
    changedAt,
    files: z.array(z.string()).describe('The other files of its folder: custom classes, schemas.'),
  })
  .meta({ id: 'Connector' })

export const newConnector = z.object({ name: connectorName, text: z.string() }).meta({ id: 'NewConnector' })

export const connectorChange = z
  .object({ text: z.string(), basedOn: version.describe('The version that the change was made from.') })
  .meta({ id: 'ConnectorChange' })

export const savedConnector = z.object({ name: connectorName, version, changedAt }).meta({ id: 'SavedConnector' })

const label = z.string().describe('What a person called this version.')

const pastVersion = z
  .object({
    version,
    savedAt: z.iso.datetime(),
    bytes: z.number().int(),
    isCurrent: z.boolean(),
    label: label.nullable(),
  })
  .meta({ id: 'PastVersion' })

export const pastVersions = z
  .object({ versions: z.array(pastVersion).describe('Newest first.') })
  .meta({ id: 'PastVersions' })

export const versionLabel = z
  .object({ label: label.max(120).describe('Empty removes it. Line breaks become spaces.') })
  .meta({ id: 'VersionLabel' })

export const connectorRename = z.object({ to: connectorName }).meta({ id: 'ConnectorRename' })

export const newClass = z
  .object({
    className: z.string().max(200).describe('`source_shop.components.Paging`: the class of source_shop/components.ts.'),
    type: z.string().describe('The component that names it: `CustomPaginationStrategy`.'),
  })
  .meta({ id: 'NewClass' })

export const createdClass = z
  .object({
    file: z.string().describe('From the folder of the connector.'),
    path: z.string().describe('On the machine of the server.'),
    text: z.string(),
  })
  .meta({ id: 'CreatedClass' })

export const pastText = z.object({ text: z.string() }).meta({ id: 'PastText' })

/** A connector was saved, deleted, renamed, or changed on disk. */
export const connectorEvent = z
  .object({
    kind: z.literal('connector'),
    name: connectorName,
    version: version.nullable(),
    renamedTo: connectorName.optional().describe('The name it has now.'),
  })
  .meta({ id: 'ConnectorEvent' })

export type ConnectorSummary = z.infer<typeof connectorSummary>
export type SkippedFolder = z.infer<typeof skippedFolder>
export type ConnectorListing = z.infer<typeof connectorListing>
export type Connector = z.infer<typeof connector>
export type NewConnector = z.infer<typeof newConnector>
export type ConnectorChange = z.infer<typeof connectorChange>
export type SavedConnector = z.infer<typeof savedConnector>
export type PastVersion = z.infer<typeof pastVersion>
export type CreatedClass = z.infer<typeof createdClass>
export type ConnectorEvent = z.infer<typeof connectorEvent>
