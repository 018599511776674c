// SPDX-License-Identifier: GPL-3.0-or-later
// The runs at hand, by the folder the user added: what is known of each before, while and after it is read.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <QAbstractItemModel>

#include "core/input/find/find_runs.h"
#include "core/input/load/load_run.h"

namespace rankscope {

enum class RunState { listed, loading, loaded, failed };

struct RunEntry {
    QString path;
    QString name;
    int ranks = 0;     ///< traced ones; before reading: trace files
    int worldSize = 0; ///< 0: not known
    QString source;    ///< "kineto"; empty before reading
    QString hardware;
    std::optional<double> iterationMs;
    quint64 bytes = 0;
    RunState state = RunState::listed;
    double progress = 0; ///< 0 to 1 while loading
    QString message;     ///< why it failed
    QString lost;        ///< what of a loaded run is not shown, and why; empty: nothing
};

/// Two levels: folders added, and the runs in them. A folder that is itself its only run is one row of the first level.
class RunsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { nameColumn, ranksColumn, sourceColumn, hardwareColumn, iterationColumn, sizeColumn, columnEnd };
    enum Role {
        pathRole = Qt::UserRole, ///< QString: the run's path; invalid for a folder of several runs
        stateRole,               ///< int: RunState; invalid for a folder
        progressRole,            ///< double
        summaryRole,             ///< QString: what a second line says
        openRole,                ///< bool: on screen now
        lostRole,                ///< QString: RunEntry::lost
        searchRole               ///< QString: all text a filter looks at
    };

    using QAbstractItemModel::QAbstractItemModel;
    ~RunsModel() override;

    /// Adds a folder with its runs, or takes over what was found anew; runs already read keep their state.
    void addFolder(const QString& folder, std::span<const FoundRun> runs);
    /// Lists another capture of a listed run below it (widgets/panels/capture_key.h).
    void addCapture(const QString& key);
    void removeRow(const QModelIndex& index);
    void setLoading(const QString& path, double progress);
    void setLoaded(const QString& path, const Run& run);
    void setIteration(const QString& path, std::optional<double> milliseconds);
    void setFailed(const QString& path, const QString& message);
    void setListed(const QString& path); ///< reading was cancelled
    void setOpen(const QString& path);   ///< the run on screen

    [[nodiscard]] QModelIndex indexOf(const QString& path) const;
    [[nodiscard]] const RunEntry* entry(const QModelIndex& index) const; ///< nullptr: a folder of several runs
    [[nodiscard]] QStringList runPaths() const;
    [[nodiscard]] QStringList folderPaths() const; ///< as added
    [[nodiscard]] QStringList pathsUnder(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::CopyAction; }
    [[nodiscard]] bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                       const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

Q_SIGNALS:
    void pathsDropped(const QStringList& paths);
    /// Runs were dropped onto another: that one first.
    void comparisonDropped(const QStringList& paths);

private:
    struct Folder {
        QString path;
        std::vector<RunEntry> runs;
        [[nodiscard]] bool isRun() const { return runs.size() == 1 && runs.front().path == path; }
    };
    [[nodiscard]] RunEntry* find(const QString& path);
    template <typename Change>
    void change(const QString& path, Change&& apply);
    [[nodiscard]] QVariant runData(const RunEntry& run, int column, int role) const;
    [[nodiscard]] QVariant folderData(const Folder& folder, int column, int role) const;

    std::vector<std::unique_ptr<Folder>> folders_;
    QString open_;
};

/// Local paths of a drop.
QStringList localPaths(const QMimeData& data);

} // namespace rankscope
