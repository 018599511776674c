// SPDX-License-Identifier: GPL-3.0-or-later
// Modules of a model as a tree, with numbers beside them: of one run, or of two compared.
#pragma once
#include <string>
#include <vector>

#include <QTreeWidget>

namespace rankscope {

struct ModuleTreeRow {
    std::string name;
    std::size_t depth = 1; ///< 1: outermost
    QStringList cells;     ///< of the columns behind the name
};

class ModuleTree : public QTreeWidget {
    Q_OBJECT
public:
    /// name: its accessible name.
    explicit ModuleTree(const QString& name, QWidget* parent = nullptr);

    /// titles and tips: of all columns, the first is the module's. rows: parents before the modules inside them. Call
    /// it within inBothLanguages().
    void setRows(const QStringList& titles, const QStringList& tips, const std::vector<ModuleTreeRow>& rows);
    /// Only modules with this part in their names, and those around and inside them; empty: all.
    void setFilter(const QString& part);

Q_SIGNALS:
    void moduleActivated(const QString& module); ///< its name without those around it

private:
    QString filter_;
};

} // namespace rankscope
