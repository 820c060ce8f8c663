// Writes the file that editors install: a ZIP archive with a list of its types, a manifest and the extension. The same
// content gives the same bytes.
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Of the entries that an editor shows by itself. */
const ASSETS = {
  'extension/package.json': 'Microsoft.VisualStudio.Code.Manifest',
  'extension/README.md': 'Microsoft.VisualStudio.Services.Content.Details',
  'extension/LICENSE.txt': 'Microsoft.VisualStudio.Services.Content.License',
  'extension/icon.png': 'Microsoft.VisualStudio.Services.Icons.Default',
};

const TYPES = {
  '.json': 'application/json',
  '.cjs': 'application/javascript',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.png': 'image/png',
  '.vsixmanifest': 'text/xml',
};

/** ZIP knows no earlier day. */
const MTIME = new Date(1980, 0, 1);

/** @param files contents by name in the folder of the extension; `package.json` is its manifest */
export async function writeVsix(path, files) {
  const manifest = JSON.parse(files['package.json']);
  const entries = {
    '[Content_Types].xml': contentTypes(),
    'extension.vsixmanifest': vsixManifest(manifest),
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`extension/${name}`, content])),
  };
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    if (!(extname(name) in TYPES) && name !== '[Content_Types].xml')
      throw new Error(`vsix.mjs knows no content type for ${name}.`);
    zip.addBuffer(Buffer.from(content), name, { mtime: MTIME, mode: 0o100644 });
  }
  zip.end();
  mkdirSync(dirname(path), { recursive: true });
  await pipeline(zip.outputStream, createWriteStream(path));
}

function contentTypes() {
  const lines = Object.entries(TYPES).map(
    ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${lines.join('')}</Types>
`;
}

function vsixManifest({
  name,
  publisher,
  version,
  displayName,
  description,
  keywords,
  categories,
  engines,
  extensionKind,
}) {
  const assets = Object.entries(ASSETS).map(
    ([path, type]) => `    <Asset Type="${type}" Path="${path}" Addressable="true"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(name)}" Version="${xml(version)}" Publisher="${xml(publisher)}"/>
    <DisplayName>${xml(displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(description)}</Description>
    <Tags>${xml(keywords.join(','))}</Tags>
    <Categories>${xml(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="${xml(extensionKind.join(','))}"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/icon.png</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
${assets.join('\n')}
  </Assets>
</PackageManifest>
`;
}

function xml(text) {
  return text.replace(/[<>&'"]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
